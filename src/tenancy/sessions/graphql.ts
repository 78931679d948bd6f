import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest, pageType, sortArg } from '../../graph/paging.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { endSession, pageSessions, type OwnSession } from './run.ts';
import { sessionSortFields } from './store.ts';

const SessionType = builder.objectRef<OwnSession>('Session').implement({
  description: 'A place where the caller is logged in.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUIDv7 of the session.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When they logged in.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      description: 'When its refresh token was last exchanged, or they logged in.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When it ends: 7 days after the login.' }),
    ipAddress: t.exposeString('ipAddress', { description: 'The IP address that they logged in from.' }),
    userAgent: t.exposeString('userAgent', {
      description: 'The program that they logged in with, as it calls itself; the first 512 characters.',
    }),
    current: t.exposeBoolean('isCurrent', { description: 'Whether it is the session that asks.' }),
    method: t.exposeString('method', {
      description:
        'How they proved who they are: `password`, `password + totp`, `password + recovery_code`, `password + passkey` or ' +
        '`passkey`.',
    }),
    organizationId: t.id({
      description: 'UUIDv7 of the organization that it is in.',
      resolve: ({ organization }) => organization.id,
    }),
    organizationName: t.string({
      description: 'The name of that organization.',
      resolve: ({ organization }) => organization.name,
    }),
  }),
});

const SessionPage = pageType('Session', SessionType);

const authScopes = { signedIn: true, interactive: true, can: 'self.write' } as const;

builder.queryFields((t) => ({
  sessions: t.field({
    type: SessionPage,
    description: 'Where the caller is logged in, in all organizations of theirs, newest first. Not for API tokens.',
    authScopes,
    complexity: pageComplexity,
    args: { ...sortArg(sessionSortFields), ...pageArgs() },
    extensions: { rest: route({ method: 'GET', path: '/auth/sessions', status: 200, category: 'read', csv: 'data' }) },
    async resolve(_root, args, ctx) {
      const page = pageRequest(args);
      const { rows, total } = await pageSessions(ctx.deps, viewerOf(ctx), args.sortBy ?? null, page);
      return pageOf(rows, total, page);
    },
  }),
}));

builder.mutationFields((t) => ({
  revokeSession: t.boolean({
    description: 'Logs the caller out elsewhere, from the next request on. Not for API tokens.',
    authScopes,
    args: { id: t.arg.id({ required: true, description: 'UUID of one of the caller’s sessions, this one included.' }) },
    extensions: { rest: route({ method: 'DELETE', path: '/auth/sessions/{id}', status: 204, category: 'write' }) },
    async resolve(_root, { id }, ctx) {
      await endSession(ctx.deps, viewerOf(ctx), actorOf(ctx), id);
      return true;
    },
  }),
}));

function route(rest: Omit<RestRoute, 'tags'>): RestRoute {
  return { tags: ['Authentication'], ...rest };
}
