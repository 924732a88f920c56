# cwx-fake as an image, from the packed package: npm pack && docker build -t cwx-fake .
# Node 24 is the newest tested version with long-term support.
FROM node:24-slim AS installed
ARG TARBALL=cwx-fake-0.1.0.tgz
ARG EXTRA_PACKAGES="@redis/client@6.3.1 classic-level@3.0.0"
COPY $TARBALL /tmp/
RUN npm install --prefix /opt/cwx-fake --ignore-scripts --no-audit --no-fund /tmp/$TARBALL $EXTRA_PACKAGES

FROM node:24-slim
COPY --from=installed /opt/cwx-fake /opt/cwx-fake
RUN ln -s /opt/cwx-fake/node_modules/.bin/cwx-fake /usr/local/bin/cwx-fake
USER node
WORKDIR /home/node
ENV NODE_OPTIONS=--max-semi-space-size=64 CWX_FAKE_HOST=0.0.0.0
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=5s --start-period=5s CMD ["cwx-fake", "health"]
ENTRYPOINT ["cwx-fake"]
CMD ["serve"]
