# cwx-fake as an image, from the packed package: npm pack && docker build -t cwx-fake .
# Node 24 is the newest tested version with long-term support.
FROM node:24-slim AS installed
ARG EXTRA_PACKAGES="@redis/client@6 classic-level@3"
COPY cwx-fake-*.tgz /tmp/
RUN npm install --prefix /opt/cwx-fake --ignore-scripts --no-audit --no-fund /tmp/cwx-fake-*.tgz $EXTRA_PACKAGES

FROM node:24-slim
COPY --from=installed /opt/cwx-fake /opt/cwx-fake
RUN ln -s /opt/cwx-fake/node_modules/.bin/cwx-fake /usr/local/bin/cwx-fake
USER node
WORKDIR /home/node
ENV NODE_OPTIONS=--max-semi-space-size=64
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=5s --start-period=5s CMD ["cwx-fake", "health"]
ENTRYPOINT ["cwx-fake"]
CMD ["serve", "--host", "0.0.0.0"]
