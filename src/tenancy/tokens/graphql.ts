import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest, pageType, sortArg } from '../../graph/paging.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { createToken, pageTokens, revokeToken, type NewApiToken } from './run.ts';
import { tokenSortFields, type ApiToken } from './store.ts';

const ApiTokenType = builder.objectRef<ApiToken>('ApiToken').implement({
  description: 'A token for programs, which acts as its owner in one organization. The token itself is shown once.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUIDv7 of the token.' }),
    name: t.exposeString('name', { description: 'What its owner calls it.' }),
    lastFour: t.exposeString('lastFour', { description: 'The last four characters of the token.' }),
    readOnly: t.exposeBoolean('readOnly', { description: 'Whether it may only read.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it stops being good; null: it stays good until it is revoked.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used, to the minute; null: never.',
    }),
  }),
});

const NewApiTokenType = builder.objectRef<NewApiToken>('NewApiToken').implement({
  description: 'A token that was just made: the only moment when it can be read.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUIDv7 of the token.' }),
    name: t.exposeString('name', { description: 'What its owner calls it.' }),
    token: t.exposeString('token', {
      description: 'The token, to send as `Authorization: Bearer`. Keep it now: it is not shown again.',
    }),
    lastFour: t.exposeString('lastFour', { description: 'The last four characters of the token.' }),
    readOnly: t.exposeBoolean('readOnly', { description: 'Whether it may only read.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it stops being good; null: it stays good until it is revoked.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used: null, never yet.',
    }),
  }),
});

const ApiTokenPage = pageType('ApiToken', ApiTokenType);

// Tokens make no tokens: who got hold of one must not be able to keep another.
const authScopes = { signedIn: true, interactive: true, can: 'self.write' } as const;

builder.queryFields((t) => ({
  apiTokens: t.field({
    type: ApiTokenPage,
    description: 'The caller’s own API tokens in this organization, newest first. Not for API tokens.',
    authScopes,
    complexity: pageComplexity,
    args: { ...sortArg(tokenSortFields), ...pageArgs() },
    extensions: { rest: route({ method: 'GET', path: '/auth/tokens', status: 200, category: 'read', csv: 'data' }) },
    async resolve(_root, args, ctx) {
      const page = pageRequest(args);
      const { rows, total } = await pageTokens(ctx.deps, viewerOf(ctx), args.sortBy ?? null, page);
      return pageOf(rows, total, page);
    },
  }),
}));

builder.mutationFields((t) => ({
  createApiToken: t.field({
    type: NewApiTokenType,
    description:
      'Makes an API token that acts as the caller in this organization, with their role and accounts as they are at each ' +
      'request. It ends with the membership. Not for API tokens.',
    authScopes,
    args: {
      name: t.arg.string({ required: true, description: 'What it is for, 1 to 100 characters on one line.' }),
      expiresAt: t.arg({
        type: 'DateTime',
        description: 'When it stops being good, in the future; absent or null: never.',
      }),
      readOnly: t.arg.boolean({ description: 'True: it may only read. It may do all the caller may without it.' }),
    },
    extensions: {
      rest: route({ method: 'POST', path: '/auth/tokens', status: 201, category: 'write', errors: ['CONFLICT'] }),
    },
    resolve: (_root, args, ctx) => createToken(ctx.deps, viewerOf(ctx), actorOf(ctx), args),
  }),
  revokeApiToken: t.boolean({
    description: 'Revokes one of the caller’s own API tokens, from the next request on. Not for API tokens.',
    authScopes,
    args: { id: t.arg.id({ required: true, description: 'UUID of the token.' }) },
    extensions: { rest: route({ method: 'DELETE', path: '/auth/tokens/{id}', status: 204, category: 'write' }) },
    async resolve(_root, { id }, ctx) {
      await revokeToken(ctx.deps, viewerOf(ctx), actorOf(ctx), id);
      return true;
    },
  }),
}));

function route(rest: Omit<RestRoute, 'tags'>): RestRoute {
  return { tags: ['Authentication'], ...rest };
}
