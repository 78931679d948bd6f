// Root fields for tests only: one of every kind of argument and result.
import { listOrItem } from '../../src/graph/bounded.ts';
import { builder } from '../../src/graph/builder.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest, pageType } from '../../src/graph/paging.ts';
import type { RestRoute } from '../../src/graph/rest.ts';
import { notFound } from '../../src/kit/errors/errors.ts';

interface Thing {
  readonly id: string;
  readonly displayName: string;
  readonly kind: string;
  readonly amount: number;
  readonly madeAt: Date;
  readonly labels: Record<string, unknown>;
  readonly seenBy: string | null;
}

const Kind = builder.enumType('ThingKind', {
  description: 'A kind.',
  values: { IN_PROGRESS: { value: 7, description: 'Seven.' }, DONE: { value: 'finished', description: 'Finished.' } },
});

const Origin = builder.objectRef<Thing>('ThingOrigin').implement({
  description: 'Where it is from.',
  fields: (t) => ({ madeAt: t.expose('madeAt', { type: 'DateTime', description: 'When.' }) }),
});

const ThingType = builder.objectRef<Thing>('Thing').implement({
  description: 'A thing.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    displayName: t.exposeString('displayName', { description: 'Its name.' }),
    kind: t.field({
      type: Kind,
      description: 'Its kind.',
      resolve: (thing) => (thing.kind === 'done' ? 'finished' : 7),
    }),
    amount: t.expose('amount', { type: 'Decimal', description: 'How much.' }),
    origin: t.field({ type: Origin, description: 'Where from.', resolve: (thing) => thing }),
    labels: t.expose('labels', { type: 'JSON', description: 'Free keys.' }),
    seenBy: t.exposeString('seenBy', { nullable: true, description: 'By whom, if anyone.' }),
    secret: t.string({ description: 'GraphQL only.', extensions: { rest: false }, resolve: () => 'hidden' }),
  }),
});

const things: Thing[] = ['=2+3', '+4', '-5', '@x', 'plain, "quoted"'].map((displayName, index) => ({
  id: `t${index}`,
  displayName,
  kind: index % 2 === 0 ? 'done' : 'open',
  amount: -1.5 * index,
  madeAt: new Date('2026-11-21T10:00:00.000Z'),
  labels: { CamelKey: index, some_key: ['a;=1'] },
  seenBy: null,
}));

const Part = builder.inputType('ThingPart', {
  description: 'A part.',
  fields: (t) => ({
    partName: t.string({ required: true, description: 'Its name.' }),
    weight: t.field({ type: 'Decimal', description: 'Its weight.' }),
    kind: t.field({ type: Kind, description: 'Its kind.' }),
  }),
});

const ThingPage = pageType('Thing', ThingType);

const rest = (route: Pick<RestRoute, 'method' | 'path' | 'status' | 'category'> & Partial<RestRoute>) => ({
  rest: { tags: ['Service'], ...route } satisfies RestRoute,
});

builder.queryFields((t) => ({
  things: t.field({
    type: ThingPage,
    description: 'Lists things.',
    authScopes: { signedIn: true },
    complexity: pageComplexity,
    args: {
      ...pageArgs(),
      kind: t.arg({ type: [Kind], description: 'Of these kinds.' }),
      since: t.arg({ type: 'Date', description: 'Since.' }),
      minAmount: t.arg({ type: 'Decimal', description: 'At least.' }),
      isBig: t.arg.boolean({ description: 'Big ones.' }),
    },
    extensions: rest({ method: 'GET', path: '/things', status: 200, category: 'read', csv: 'data' }),
    resolve: (_root, args) => {
      const request = pageRequest(args);
      return pageOf(things.slice(request.skip, request.skip + request.take), things.length, request);
    },
  }),
  thing: t.field({
    type: ThingType,
    description: 'One thing.',
    authScopes: { signedIn: true },
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    extensions: rest({
      method: 'GET',
      path: '/things/{id}',
      status: 200,
      category: 'read',
      etag: true,
    }),
    resolve: (_root, { id }, ctx) => {
      ctx.dependsOn?.(id);
      const found = things.find((thing) => thing.id === id);
      if (!found) throw notFound('Thing', id);
      return found;
    },
  }),
  thingFailing: t.string({
    description: 'Fails.',
    authScopes: { signedIn: true },
    extensions: rest({ method: 'GET', path: '/things/failing', status: 200, category: 'report' }),
    resolve: () => {
      throw new Error('connect ECONNREFUSED db.internal:5432 password=hunter2');
    },
  }),
}));

/** The signals of requests for things that never resolve. */
export const waiting: AbortSignal[] = [];

builder.queryField('thingNever', (t) =>
  t.string({
    description: 'Waits until the client disconnects.',
    authScopes: { signedIn: true },
    extensions: rest({ method: 'GET', path: '/things/never', status: 200, category: 'read' }),
    resolve: async (_root, _args, { signal }) => {
      if (!signal) return 'no signal';
      waiting.push(signal);
      return new Promise<string>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
  }),
);

const CreateThingInput = builder.inputType('CreateThingInput', {
  description: 'A thing to create.',
  fields: (t) => ({
    displayName: t.string({ required: true, description: 'Its name.' }),
    amount: t.field({ type: 'Decimal', description: 'How much.' }),
    isBig: t.boolean({ description: 'Big?' }),
    count: t.int({ description: 'How many.' }),
    kind: t.field({ type: Kind, description: 'Its kind.' }),
    since: t.field({ type: 'Date', description: 'Since.' }),
    month: t.field({ type: 'Month', description: 'Month.' }),
    at: t.field({ type: 'DateTime', description: 'At.' }),
    tags: t.stringList({ description: 'Tags.' }),
    settings: t.field({ type: 'JSON', description: 'Free keys.' }),
    parts: t.field({ type: [Part], description: 'Parts.' }),
  }),
});

const UpdateThingInput = builder.inputType('UpdateThingInput', {
  description: 'Changes to a thing.',
  fields: (t) => ({
    displayName: t.string({ description: 'Name.' }),
    seenBy: t.string({ description: 'By.' }),
  }),
});

builder.mutationFields((t) => ({
  createThing: t.field({
    type: 'JSON',
    description: 'Echoes what the resolver got.',
    authScopes: { signedIn: true, can: 'accounts.write' },
    args: { input: t.arg({ type: CreateThingInput, required: true, description: 'The thing.' }) },
    extensions: rest({ method: 'POST', path: '/things', status: 201, category: 'write' }),
    resolve: (_root, { input }) => input,
  }),
  updateThing: t.field({
    type: 'JSON',
    description: 'Echoes what the resolver got.',
    authScopes: { signedIn: true },
    args: {
      id: t.arg.id({ required: true, description: 'Its id.' }),
      input: t.arg({ type: UpdateThingInput, required: true, description: 'What to change.' }),
    },
    extensions: rest({ method: 'PATCH', path: '/things/{id}', status: 200, category: 'write' }),
    resolve: (_root, { id, input }) => ({ id, ...input }),
  }),
  deleteThings: t.field({
    type: 'JSON',
    description: 'Echoes what the resolver got.',
    authScopes: { signedIn: true },
    args: {
      password: t.arg.string({ required: true, description: 'A secret.' }),
      names: t.arg.stringList({
        description: 'One or several.',
        ...listOrItem({}),
      }),
    },
    extensions: rest({ method: 'DELETE', path: '/all-things', status: 200, category: 'write', takesBody: true }),
    resolve: (_root, args) => args,
  }),
  pokeThing: t.boolean({
    description: 'Pokes it.',
    authScopes: { signedIn: true },
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    extensions: rest({ method: 'POST', path: '/things/{id}/poke', status: 200, category: 'write' }),
    resolve: () => true,
  }),
  deleteThing: t.boolean({
    description: 'Deletes it.',
    authScopes: { signedIn: true },
    args: {
      id: t.arg.id({ required: true, description: 'Its id.' }),
      purge: t.arg.boolean({ defaultValue: false, description: 'All of it.' }),
    },
    extensions: rest({ method: 'DELETE', path: '/things/{id}', status: 204, category: 'write' }),
    resolve: () => true,
  }),
}));
