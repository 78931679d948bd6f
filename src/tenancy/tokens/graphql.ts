import { nameRule, nameText } from '../login/input.ts';
import { answerType, columns, flag, instant, orNull, text, uuid } from '../../graph/answers.ts';
import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { listArgs, pageField, pageType, selectedPage } from '../../graph/paging.ts';
import { guardedRoute, ownLogin } from '../../graph/rest.ts';
import { createToken, revokeToken } from './run.ts';
import { pageTokens, tokenSortFields } from './store.ts';

const shown = {
  lastFour: text('Last four characters of the token.'),
  readOnly: flag('Whether the token is read-only.'),
  createdAt: instant('Creation time.'),
  expiresAt: orNull(instant('Expiry; null if valid until revoked.')),
};
const named = { id: uuid('UUIDv7 of the token.'), name: text('Display name.') };

const ApiTokenType = builder.prismaObject('ApiToken', {
  description: 'A token for programs that acts as its owner in one organization. The token itself is shown once.',
  select: { id: true },
  findUnique: ({ id }, ctx) => ({ id, userId: viewerOf(ctx).userId }),
  fields: (t) =>
    columns(t, 'ApiToken', {
      ...named,
      ...shown,
      lastUsedAt: orNull(instant('Last use, to the minute; null if never used.')),
    }),
});

const NewApiTokenType = answerType('NewApiToken', 'A new API token. Only this response contains the token itself.', {
  ...named,
  token: text('The token, to send as `Authorization: Bearer`. It is not shown again.'),
  ...shown,
  lastUsedAt: orNull(instant('Last use; null if never used.')),
});

const ApiTokenPage = pageType('ApiToken', ApiTokenType);

builder.queryFields((t) => ({
  apiTokens: t.field({
    ...pageField(ApiTokenPage),
    description: 'Lists the caller’s API tokens in this organization, newest first. Not for API tokens.',
    args: listArgs('ApiToken', tokenSortFields),
    ...guardedRoute('Authentication', ownLogin, { method: 'GET', path: '/auth/tokens', csv: 'data' }),
    resolve: selectedPage((ctx, args, page) => pageTokens(ctx.deps, viewerOf(ctx), { ...args, ...page })),
  }),
}));

const CreateApiTokenInput = builder.inputType('CreateApiTokenInput', {
  description: 'An API token to create.',
  fields: (t) => ({
    name: t.string({ ...bounded(nameRule), required: true, description: nameText }),
    expiresAt: t.field({ type: 'DateTime', description: 'Expiry, in the future; absent or null if it never expires.' }),
    readOnly: t.boolean({ description: 'True: read-only. Default: all permissions of the caller.' }),
  }),
});

builder.mutationFields((t) => ({
  createApiToken: t.field({
    type: NewApiTokenType,
    description:
      'Creates an API token. It acts as the caller in this organization, with the caller’s role and account access at the time of each request, and ends with the membership. Not for API tokens.',
    args: { input: t.arg({ type: CreateApiTokenInput, required: true, description: 'The API token to create.' }) },
    // Tokens cannot create tokens: a stolen one must not be usable to obtain another.
    ...guardedRoute('Authentication', ownLogin, { path: '/auth/tokens', status: 201, errors: ['CONFLICT'] }),
    resolve: (_root, { input }, ctx) => createToken(ctx.deps, viewerOf(ctx), actorOf(ctx), input),
  }),
  revokeApiToken: t.boolean({
    description: 'Revokes an API token of the caller, effective with its next request. Not for API tokens.',
    args: { id: t.arg.id({ required: true, description: 'UUID of the token.' }) },
    ...guardedRoute('Authentication', ownLogin, { method: 'DELETE', path: '/auth/tokens/{id}' }),
    resolve: (_root, { id }, ctx) => revokeToken(ctx.deps, viewerOf(ctx), actorOf(ctx), id).then(() => true),
  }),
}));
