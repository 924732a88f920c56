// Koa's context, as this server uses it.
import type Koa from 'koa';

export type Context = Koa.ParameterizedContext;
