import { answerType, columns, from, instant, orNull, text, uuid } from '../../graph/answers.ts';
import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { viewerOf } from '../../graph/context.ts';
import { foundById } from '../../graph/relations.ts';
import { listArgs, pageField, pageType, selectedPage } from '../../graph/paging.ts';
import { guardedRoute } from '../../graph/rest.ts';
import { storedWords } from '../../graph/stored-words.ts';
import { storedWord } from '../../kit/stored-word.ts';
import { memberRelation } from '../people/graphql.ts';
import { auditActions, auditResourceTypes, resourceTypeOf } from './actions.ts';
import { visibleDetails } from './details.ts';
import { auditSortFields, pageAuditLog } from './store.ts';

const AuditActionEnum = builder.enumType('AuditAction', {
  description: 'Actions in the audit log.',
  values: storedWords(auditActions),
});

const AuditResourceTypeEnum = builder.enumType('AuditResourceType', {
  description: 'Subject of an audit log entry: a record, or exported data.',
  values: storedWords(auditResourceTypes),
});

const AuditActorType = answerType('AuditActor', 'The acting user at the time of the entry.', {
  id: from(
    'actorId',
    orNull(
      uuid(
        'UUIDv7 of the user; null without a login, for actions of the server, and for the command line (`details.by` is `command_line`).',
      ),
    ),
  ),
  email: from(
    'actorEmail',
    orNull(text('Email address; for a failed login, that of the attempted user.', bounded({ format: 'email' }))),
  ),
});

const AuditEntryType = builder.prismaObject('AuditEntry', {
  description: 'An action in the organization. Entries never change and are kept for 90 days.',
  ...foundById,
  fields: (t) =>
    columns(t, 'AuditEntry', {
      id: uuid('UUIDv7 of the entry.'),
      timestamp: instant('Time of the action.'),
      actor: t.field({
        type: AuditActorType,
        description: 'The acting user at the time.',
        select: { actorId: true, actorEmail: true },
        resolve: (entry) => entry,
      }),
      user: t.field(memberRelation('actorId', 'The acting user; null without a login, or if no longer a member.')),
      action: t.field({
        type: AuditActionEnum,
        description: 'Action.',
        select: { action: true },
        resolve: ({ action }) => storedWord(auditActions, action),
      }),
      resourceType: t.field({
        type: AuditResourceTypeEnum,
        description: 'Type of the resource.',
        select: { resourceType: true },
        resolve: ({ resourceType }) => resourceTypeOf(resourceType),
      }),
      resourceId: orNull(text('Id of the resource; null if the action has no single resource.')),
      ipAddress: text('IP address of the client, behind trusted proxies.'),
      userAgent: text('User agent of the client, first 512 characters.'),
      details: t.field({
        type: 'JSON',
        description: 'What changed, without secrets.',
        select: { action: true, details: true },
        resolve: ({ action, details }, _args, ctx) =>
          visibleDetails(storedWord(auditActions, action), details, viewerOf(ctx).scope),
      }),
    }),
});

const AuditPage = pageType('AuditEntry', AuditEntryType);

builder.queryFields((t) => ({
  auditLogs: t.field({
    ...pageField(AuditPage),
    description:
      'Lists the audit log, newest first. Callers with access to some accounts see the entries of these accounts, and entries that do not belong to an account. For Admins.',
    args: {
      action: t.arg({ type: [AuditActionEnum], description: 'Only these actions.' }),
      actorId: t.arg.idList({ description: 'Only actions of these users.' }),
      startDate: t.arg({ type: 'Date', description: 'First UTC day.' }),
      endDate: t.arg({ type: 'Date', description: 'Last UTC day, inclusive.' }),
      ...listArgs('AuditEntry', auditSortFields),
    },
    ...guardedRoute(
      'Audit log',
      { signedIn: true, can: 'audit.read' as const },
      {
        method: 'GET',
        path: '/audit-logs',
        csv: 'data',
      },
    ),
    resolve: selectedPage((ctx, args, page) => pageAuditLog(ctx.deps, viewerOf(ctx).scope, args, page)),
  }),
}));
