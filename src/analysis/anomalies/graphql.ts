import { serviceArgs } from '../../facts/graphql.ts';
import { bounded, unclearable } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { listArgs, pageField, selectedPage } from '../../graph/paging.ts';
import { readRoute, writeRoute } from '../../graph/rest.ts';
import {
  assigneeArgs,
  idsField,
  ifNoteField,
  ifStatusesField,
  ifStatusText,
  selectedUpdate,
  triageFields,
  updatedComplexity,
} from '../graphql.ts';
import { oldReason, reasonRule, statusReasonText } from '../status-reason.ts';
import { pageAnomalies, updateAnomalies, updateAnomaly } from './anomalies.ts';
import { AnomalyDetailsType, AnomalyPage, AnomalyStatusType, SeverityType, UpdatedAnomalies } from './graphql-types.ts';
import { anomalies, anomalySortFields } from './store.ts';

const idArg = 'UUID of the anomaly.';

builder.queryFields((t) => ({
  anomalies: t.field({
    ...pageField(AnomalyPage),
    description:
      'Lists cost anomalies, latest start first. An anomaly is unexpected spend of a service in an account; every sync detects anomalies over the last 182 complete days.',
    args: {
      status: t.arg({ type: [AnomalyStatusType], description: 'Only items with these statuses. Default: all.' }),
      severity: t.arg({ type: [SeverityType], description: 'Only items with these severities.' }),
      ...serviceArgs,
      resourceId: t.arg.id({
        description:
          'Only anomalies with this inventory resource (UUID) among their drivers. Matches nothing once the resource has been removed from the inventory.',
      }),
      startDate: t.arg({ type: 'Date', description: 'Only anomalies that end on or after this UTC day.' }),
      endDate: t.arg({ type: 'Date', description: 'Only anomalies that start on or before this UTC day.' }),
      ...assigneeArgs,
      ...listArgs('Anomaly', anomalySortFields),
    },
    ...readRoute('Anomalies', '/anomalies', { csv: 'data' }),
    resolve: selectedPage((ctx, args, page) => pageAnomalies(ctx.deps, viewerOf(ctx).scope, args, page)),
  }),
  anomaly: t.prismaField({
    type: AnomalyDetailsType,
    description: 'Returns an anomaly with its explanation and cost history.',
    args: { id: t.arg.id({ required: true, description: idArg }) },
    ...readRoute('Anomalies', '/anomalies/{id}'),
    resolve: (query, _root, { id }, ctx) => anomalies.read(ctx.deps, viewerOf(ctx).scope, id, query),
  }),
}));

const UpdateAnomalyInput = builder.inputType('UpdateAnomalyInput', {
  description: 'Changes to an anomaly: omitted fields stay unchanged.',
  fields: (t) => ({
    status: t.field({
      ...unclearable(),
      type: AnomalyStatusType,
      description: 'New status; all transitions are allowed.',
    }),
    statusReason: t.string({ ...bounded(reasonRule), description: statusReasonText }),
    reason: t.string({ ...bounded(reasonRule), ...oldReason }),
    ...triageFields(t),
    ifNote: ifNoteField(t),
    ifStatus: t.field({ ...unclearable(), type: AnomalyStatusType, description: ifStatusText }),
  }),
});

const UpdateAnomaliesInput = builder.inputType('UpdateAnomaliesInput', {
  description: 'Anomalies, and the change that is made to each: omitted fields stay unchanged.',
  fields: (t) => ({
    ids: idsField(t, 'anomalies'),
    status: t.field({
      ...unclearable(),
      type: AnomalyStatusType,
      description: 'New status; all transitions are allowed.',
    }),
    statusReason: t.string({ ...bounded(reasonRule), description: statusReasonText }),
    ...triageFields(t),
    ifStatus: ifStatusesField(t, AnomalyStatusType),
  }),
});

builder.mutationFields((t) => ({
  updateAnomaly: t.prismaField({
    type: AnomalyDetailsType,
    description:
      'Changes the status, the assignee or the note of an anomaly. Anomalies that a user resolved or reopened stay that way. An acknowledged anomaly is resolved automatically after the provider restated costs, or once the costs have been back in the expected range for more than 7 complete days. For Members and Admins.',
    args: {
      id: t.arg.id({ required: true, description: idArg }),
      input: t.arg({ type: UpdateAnomalyInput, required: true, description: 'Fields to change.' }),
    },
    ...writeRoute('Anomalies', 'anomalies.write', { method: 'PATCH', path: '/anomalies/{id}' }),
    resolve: (query, _root, { id, input }, ctx) =>
      updateAnomaly(ctx.deps, viewerOf(ctx), actorOf(ctx), { ...input, id, query }),
  }),
  updateAnomalies: t.field({
    type: UpdatedAnomalies,
    complexity: updatedComplexity,
    description: 'Makes the same change to several anomalies. Either all are changed or none. For Members and Admins.',
    args: { input: t.arg({ type: UpdateAnomaliesInput, required: true, description: 'Anomalies and changes.' }) },
    ...writeRoute('Anomalies', 'anomalies.write', { method: 'PATCH', path: '/anomalies', errors: ['NOT_FOUND'] }),
    resolve: selectedUpdate((ctx, { input }, query) =>
      updateAnomalies(ctx.deps, viewerOf(ctx), actorOf(ctx), { ...input, query }),
    ),
  }),
}));
