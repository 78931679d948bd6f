import { columns, instant, of, text, uuid } from '../../graph/answers.ts';
import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { listArgs, pageField, pageType, selectedPage } from '../../graph/paging.ts';
import { guardedRoute, ownLogin } from '../../graph/rest.ts';
import { wordEnum } from '../../graph/stored-words.ts';
import { endSession } from './run.ts';
import { pageSessions, sessionSortFields } from './store.ts';

const LoginMethodType = wordEnum<string>('LoginMethod', 'How a user signed in.', {
  password: 'Password only.',
  'password + totp': 'Password and a code from an authenticator app.',
  'password + recovery_code': 'Password and recovery code.',
  'password + passkey': 'Password and passkey.',
  passkey: 'Passkey with user verification.',
});

const SessionType = builder.prismaObject('Session', {
  description: 'A session of the caller.',
  select: { id: true },
  findUnique: ({ id }, ctx) => ({ id, userId: viewerOf(ctx).userId }),
  fields: (t) =>
    columns(t, 'Session', {
      id: uuid('UUIDv7 of the session.'),
      createdAt: instant('Time of the login.'),
      lastUsedAt: instant('Last refresh, login, or switch of the organization.'),
      expiresAt: instant('Expiry: 7 days after the login.'),
      ipAddress: text('IP address of the login, or of the last switch of the organization.'),
      userAgent: text('User agent of the login, or of the last switch of the organization; first 512 characters.'),
      current: t.boolean({
        description: 'Whether it is the current session.',
        resolve: ({ id }, _args, ctx) => id === viewerOf(ctx).sessionId,
      }),
      method: of(LoginMethodType, 'How the user signed in.'),
      organizationId: uuid('UUIDv7 of the session’s organization.'),
      organizationName: t.string({
        description: 'Name of the organization.',
        select: { organization: { select: { name: true } } },
        resolve: ({ organization }) => organization.name,
      }),
    }),
});

const SessionPage = pageType('Session', SessionType);

builder.queryFields((t) => ({
  sessions: t.field({
    ...pageField(SessionPage),
    description: 'Lists the caller’s sessions in all their organizations, newest first. Not for API tokens.',
    args: listArgs('Session', sessionSortFields),
    ...guardedRoute('Authentication', ownLogin, { method: 'GET', path: '/auth/sessions', csv: 'data' }),
    resolve: selectedPage((ctx, args, page) => pageSessions(ctx.deps, viewerOf(ctx), { ...args, ...page })),
  }),
}));

builder.mutationFields((t) => ({
  revokeSession: t.boolean({
    description: 'Ends a session of the caller, effective with its next request. Not for API tokens.',
    args: {
      id: t.arg.id({ required: true, description: 'UUID of one of the caller’s sessions, including the current one.' }),
    },
    ...guardedRoute('Authentication', ownLogin, { method: 'DELETE', path: '/auth/sessions/{id}' }),
    resolve: (_root, { id }, ctx) => endSession(ctx.deps, viewerOf(ctx), actorOf(ctx), id).then(() => true),
  }),
}));
