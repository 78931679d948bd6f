import { builder } from '../../graph/builder.ts';
import { viewerOf } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest, pageType, sortArg } from '../../graph/paging.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { auditActions, type AuditAction } from './actions.ts';
import { pageAuditLog, type AuditEntry } from './read.ts';
import { auditSortFields } from './store.ts';

const AuditActionEnum = builder.enumType('AuditAction', {
  description: 'What the audit log records.',
  values: Object.fromEntries(
    Object.entries(auditActions).map(([value, description]) => [
      value.toUpperCase(),
      // The keys of the table are the actions.
      { value: value as AuditAction, description },
    ]),
  ),
});

const AuditActorType = builder.objectRef<AuditEntry>('AuditActor').implement({
  description: 'Who acted, as they were then: the entry outlives the user.',
  fields: (t) => ({
    id: t.id({
      nullable: true,
      description: 'UUIDv7 of the user; null where nobody was signed in.',
      resolve: (entry) => entry.actorId,
    }),
    email: t.exposeString('actorEmail', {
      nullable: true,
      description: 'Their address; of a failed login, the address of the user that was tried.',
    }),
  }),
});

const AuditEntryType = builder.objectRef<AuditEntry>('AuditEntry').implement({
  description: 'One act: who did what to what, from where. Entries never change and are kept 90 days.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUIDv7 of the entry.' }),
    timestamp: t.expose('timestamp', { type: 'DateTime', description: 'When it happened.' }),
    actor: t.field({ type: AuditActorType, description: 'Who acted.', resolve: (entry) => entry }),
    action: t.expose('action', { type: AuditActionEnum, description: 'What was done.' }),
    resourceType: t.exposeString('resourceType', {
      description: 'The kind of thing acted upon, such as `account` or `organization`.',
    }),
    resourceId: t.exposeString('resourceId', {
      nullable: true,
      description: 'Its id; null where the act has no single resource.',
    }),
    ipAddress: t.exposeString('ipAddress', { description: 'Where the request came from, behind trusted proxies.' }),
    userAgent: t.exposeString('userAgent', {
      description: 'What the client said it is; the first 512 characters.',
    }),
    details: t.expose('details', { type: 'JSON', description: 'What changed. Never a secret.' }),
  }),
});

const AuditPage = pageType('AuditEntry', AuditEntryType);

builder.queryFields((t) => ({
  auditLogs: t.field({
    type: AuditPage,
    description:
      'The audit log of the organization, newest first. Who may see some accounts only sees what concerns none or one of ' +
      'theirs. For Admins.',
    authScopes: { signedIn: true, can: 'audit.read' },
    complexity: pageComplexity,
    args: {
      action: t.arg({ type: [AuditActionEnum], description: 'Only these acts.' }),
      actorId: t.arg.idList({ description: 'Only what these users did.' }),
      startDate: t.arg({ type: 'Date', description: 'Only from this UTC day on.' }),
      endDate: t.arg({ type: 'Date', description: 'Only up to this UTC day, inclusive.' }),
      ...sortArg(auditSortFields),
      ...pageArgs(),
    },
    extensions: {
      rest: {
        method: 'GET',
        path: '/audit-logs',
        status: 200,
        tags: ['Audit log'],
        category: 'read',
        csv: 'data',
      } satisfies RestRoute,
    },
    async resolve(_root, args, ctx) {
      const page = pageRequest(args);
      const { rows, total } = await pageAuditLog(ctx.deps, viewerOf(ctx).scope, args, page);
      return pageOf(rows, total, page);
    },
  }),
}));
