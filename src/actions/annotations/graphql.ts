import { columns, day, instant, orNull, text, uuid } from '../../graph/answers.ts';
import { builder } from '../../graph/builder.ts';
import { viewerOf } from '../../graph/context.ts';
import { listArgs, pageField, pageType, selectedPage } from '../../graph/paging.ts';
import { recordOperations } from '../../graph/record-operations.ts';
import { accountInScope, foundById, restName } from '../../graph/relations.ts';
import { readRoute } from '../../graph/rest.ts';
import { memberRelation } from '../../tenancy/people/graphql.ts';
import { annotationFields } from './annotation.ts';
import { createAnnotation, deleteAnnotation, updateAnnotation } from './change.ts';
import { annotations, annotationSortFields, pageAnnotations } from './store.ts';

const tag = 'Annotations';
const lastDayText = 'Last UTC day, inclusive; the range has at most 366 days.';

const AnnotationType = builder.prismaObject('Annotation', {
  ...foundById,
  description: 'A note on one or more days, shown on cost charts, such as “Migration to Graviton began”.',
  fields: (t) =>
    columns(t, 'Annotation', {
      id: uuid('UUIDv7 of the annotation.'),
      startDate: day('First UTC day.'),
      endDate: day(lastDayText),
      text: text('The text, 1 to 500 characters on one line.'),
      accountId: orNull(
        uuid('UUID of the account that it is about; null for the organization, visible to all members.'),
      ),
      account: t.relation('account', {
        ...accountInScope,
        description: 'The account that it is about; null for the organization.',
      }),
      createdById: uuid(
        'UUID of the owner; the Super Admin’s for a former member’s annotation.',
        restName('created_by'),
      ),
      createdBy: t.field(memberRelation('createdById', 'The owner; the Super Admin for a former member’s annotation.')),
      createdAt: instant('Creation time.'),
      updatedAt: instant('Time of the last change.'),
    }),
});

const AnnotationPage = pageType('Annotation', AnnotationType);

builder.queryField('annotations', (t) =>
  t.field({
    ...pageField(AnnotationPage),
    description: 'Lists annotations of the organization and of accounts in the caller’s scope, latest start first.',
    args: {
      startDate: t.arg({ type: 'Date', description: 'Only annotations that end on or after this UTC day.' }),
      endDate: t.arg({ type: 'Date', description: 'Only annotations that start on or before this UTC day.' }),
      accountId: t.arg.idList({
        description: 'Only annotations about these accounts (UUIDs), and those about the organization.',
      }),
      ...listArgs('Annotation', annotationSortFields, 'Latest start first'),
    },
    ...readRoute(tag, '/annotations', { csv: 'data' }),
    resolve: selectedPage((ctx, args, page) => pageAnnotations(ctx.deps, viewerOf(ctx).scope, args, page)),
  }),
);

recordOperations('Annotation', 'an annotation', {
  type: AnnotationType,
  tag,
  path: '/annotations',
  can: 'annotations.write',
  fields: annotationFields,
  shown: {
    startDate: { type: 'Date', text: 'First UTC day.' },
    endDate: { type: 'Date', text: lastDayText, onCreate: ' Default: `startDate`.', onUpdate: ' Null: `startDate`.' },
    text: { type: 'String', text: 'The text, 1 to 500 characters on one line.' },
    accountId: {
      type: 'ID',
      text: 'UUID of the account that it is about; null for the organization, only for callers with access to all accounts.',
    },
  },
  descriptions: {
    id: 'UUID of the annotation.',
    read: 'Returns an annotation.',
    create: 'Creates an annotation, owned by the caller. Not for Viewers.',
    update:
      'Updates an annotation. Owners can update their own, Admins any; those about the organization require access to all accounts.',
    remove:
      'Deletes an annotation. Owners can delete their own, Admins any; those about the organization require access to all accounts.',
  },
  read: (deps, { scope }, id, query) => annotations.read(deps, scope, id, query),
  create: createAnnotation,
  update: updateAnnotation,
  remove: deleteAnnotation,
});
