import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mapConcurrently } from '../../src/kit/process/limiter.ts';
import { restApiOf } from '../../src/surfaces/rest/api.ts';
import { buildSchema } from '../../src/surfaces/schema.ts';
import { aWorld, type Answered, type World } from '../support/world.ts';
import { never, questionsOf, type Question } from './isolation/ask.ts';
import { build, clear, perform, personOf, tokenOf } from './isolation/build.ts';
import { anAccount, relationsOf, walkRelations } from './isolation/relations.ts';
import {
  anomalyIds,
  aPlan,
  invoiceIds,
  isSeen,
  evaluatedIds,
  now,
  recommendationIds,
  reportId,
  type Plan,
} from './isolation/plan.ts';

const schema = buildSchema();
const reads = restApiOf(schema).operations.filter(({ route }) => route.method === 'GET');
const walk = walkRelations(schema);

/** Two servers with a common clock: one has all accounts of each plan, the other only those in the caller's scope. */
async function twoWorlds() {
  let at = now;
  const clock = { now: () => at };
  const [full, small] = [await aWorld({ clock }), await aWorld({ clock })];
  return { full, small, tick: () => void (at = new Date(at.getTime() + 1000)), reset: () => void (at = now) };
}

it('answers a restricted member as if the other accounts had never existed', async () => {
  const worlds = await twoWorlds();
  const cases = aPlan.chain((plan) =>
    fc.record({
      plan: fc.constant(plan),
      questions: fc.tuple(...[true, false].flatMap((isPlain) => reads.map((read) => questionsOf(read, plan, isPlain)))),
    }),
  );
  await fc.assert(
    fc.asyncProperty(cases, async ({ plan, questions }) => {
      const ask = await enter(worlds, plan);
      const compare = async (asked: Question & Attempt) => {
        const { full, small } = await ask(asked);
        expect({ asked, answer: full }).toEqual({ asked, answer: small });
        if (asked.query !== undefined) expect(unexpectedErrors(String(full?.text))).toEqual([]);
      };
      for (const question of questions) await compare(question);
      const accept = 'application/json';
      for (const document of walk.documents)
        for (const { id } of document.includes(anAccount) ? plan.accounts : [{ id: '' }])
          await compare({ path: '/graphql', accept, query: document.replaceAll(anAccount, id) });
      for (const attempt of attempts(plan)) await compare(attempt);
    }),
    // Stops in time to report the failure, however far it was shrunk.
    { numRuns: 6, interruptAfterTimeLimit: 400_000, markInterruptAsFailure: true },
  );
}, 450_000);

it('has a GraphQL query for every relation of the schema', () => {
  // The relations of a single record are those of the record in its list.
  const listed = (relation: string) => relation.replace('Details.', '.');
  expect(relationsOf(schema).filter((relation) => !walk.followed.has(listed(relation)))).toEqual([]);
  expect([...walk.followed]).toEqual(
    expect.arrayContaining(['Account.budgets', 'RecommendationResource.inventory', 'Organization.members']),
  );
});

/** Errors of an answer, except for a whole list: FORBIDDEN, or NOT_FOUND for an account outside the scope. */
function unexpectedErrors(text: string): unknown[] {
  const { errors = [] } = JSON.parse(text) as { errors?: { path?: string[]; extensions: { code: string } }[] };
  const expected = new Set(['FORBIDDEN', 'NOT_FOUND']);
  return errors.filter(({ path, extensions }) => !expected.has(extensions.code) || path?.length !== 1);
}

/** Builds both worlds and performs the plan's acts in both.
 *  @returns a function that sends a request to both as the caller */
async function enter({ full, small, tick, reset }: Awaited<ReturnType<typeof twoWorlds>>, plan: Plan) {
  reset();
  const purged = new Set<number>();
  const sides = [
    { world: full, exists: (account: number) => !purged.has(account) },
    { world: small, exists: (account: number) => isSeen(plan, account) && !purged.has(account) },
  ] as const;
  for (const { world, exists } of sides) {
    await clear(world);
    await build(world, plan, exists);
  }
  for (const act of plan.acts) {
    tick();
    for (const { world, exists } of sides) await perform(world, plan, act, exists);
    if (act.kind === 'disconnect' && act.purge) purged.add(act.account);
  }
  const ids = knownIds(plan);
  const logins = await Promise.all(
    sides.map(async ({ world }) => ({ world, token: await tokenOf(world, plan, 'caller') })),
  );
  return async (request: Question & Attempt) => {
    // One after the other: the worlds of a test share an engine process.
    const [one, other] = await mapConcurrently(logins, 1, async ({ world, token }) =>
      summary(await send(world, request, token), request, ids),
    );
    return { full: one, small: other };
  };
}

interface Attempt {
  readonly method?: string;
  readonly body?: object;
  /** A GraphQL document, instead of a REST request. */
  readonly query?: string;
}

/** Requests on accounts outside the caller's scope, and on one that never existed. All are rejected. */
function attempts(plan: Plan): (Question & Attempt)[] {
  const hidden = plan.accounts.flatMap(({ id }, index) => (isSeen(plan, index) ? [] : [id]));
  const accept = 'application/json';
  const policies = plan.policies.filter(({ account }) => account !== null && !isSeen(plan, account));
  const ofPolicies = policies.flatMap(({ id }) => [
    { accept, method: 'PATCH', path: `/tag-policies/${id}`, body: { name: 'Mine' } },
    { accept, method: 'DELETE', path: `/tag-policies/${id}` },
  ]);
  const ofAccounts = [...hidden, never].flatMap((id) => [
    { accept, method: 'PATCH', path: `/accounts/${id}`, body: { name: 'Mine' } },
    { accept, method: 'DELETE', path: `/accounts/${id}` },
    { accept, method: 'POST', path: `/accounts/${id}/sync` },
    { accept, method: 'DELETE', path: `/accounts/${id}/sync` },
    {
      accept,
      method: 'POST',
      path: '/tag-policies',
      body: { name: 'Mine', rules: [{ key: 'team' }], account_id: id },
    },
    {
      accept,
      method: 'POST',
      path: '/org/invite',
      body: { emails: ['x@example.com'], role: 'viewer', account_access: [id] },
    },
    { accept, method: 'PATCH', path: `/org/members/${plan.members[0]?.id}`, body: { account_access: [id] } },
  ]);
  const changesOf = (plural: string, id: string, body: object) => [
    { accept, method: 'PATCH', path: `/${plural}/${id}`, body },
    { accept, method: 'PATCH', path: `/${plural}`, body: { ids: [id], ...body } },
  ];
  const ofRecommendations = plan.accounts
    .filter((_, index) => !isSeen(plan, index))
    .flatMap(recommendationIds)
    .flatMap((id) => changesOf('recommendations', id, { status: 'archived' }));
  const ofInvoices = plan.accounts
    .filter((_, index) => !isSeen(plan, index))
    .flatMap(invoiceIds)
    .flatMap((id) => [
      { accept, method: 'PUT', path: `/invoices/${id}`, body: { stated_amount: 1 } },
      { accept, method: 'DELETE', path: `/invoices/${id}/stated-amount` },
    ]);
  const ofAnomalies = plan.accounts
    .filter((_, index) => !isSeen(plan, index))
    .flatMap(anomalyIds)
    .flatMap((id) => changesOf('anomalies', id, { status: 'resolved' }));
  const unseen = [plan, ...plan.accounts.filter((_, index) => !isSeen(plan, index))];
  const ofEvaluated = unseen.map(evaluatedIds).flatMap(({ budget, rule }) =>
    [`/budgets/${budget}`, `/alert-rules/${rule}`].flatMap((path) => [
      { accept, method: 'PATCH', path, body: { name: 'Mine' } },
      { accept, method: 'DELETE', path },
    ]),
  );
  const aReport = { type: 'cost_by_account', format: 'csv' };
  const ofReports = [
    ...[plan, ...plan.accounts].map((each) => ({ accept, path: `/reports/${reportId(each)}/download` })),
    ...[...hidden, never].map((id) => ({
      accept,
      method: 'POST',
      path: '/reports',
      body: { ...aReport, filters: { account_id: id } },
    })),
    { accept, method: 'POST', path: '/reports', body: aReport },
    { accept, path: '/reports' },
  ];
  const ofExports = ['', ...[...hidden, never].map((id) => `&account_id=${id}`), '&exclude_service=Queue&tag=team'].map(
    (filter) => ({
      accept,
      path: `/costs/export?format=focus_csv&start_date=2024-03-01&end_date=2024-05-11${filter}`,
    }),
  );
  return [
    ...ofExports,
    ...ofPolicies,
    ...ofAccounts,
    ...ofInvoices,
    ...ofRecommendations,
    ...ofAnomalies,
    ...ofEvaluated,
    ...ofReports,
  ];
}

function send(world: World, { method = 'GET', path, accept, body, query }: Question & Attempt, token: string) {
  if (query !== undefined) return world.gql(query, {}, token);
  return world.rest(method, path, { token, headers: { accept }, ...(body && { body }) });
}

function knownIds(plan: Plan): ReadonlySet<string> {
  const people = [personOf(plan, 'owner'), personOf(plan, 'caller'), ...plan.members.map(({ id }) => id)];
  return new Set([
    plan.id,
    never,
    ...people,
    ...[...plan.accounts, ...plan.invites, ...plan.policies].map(({ id }) => id),
    ...plan.accounts.flatMap(recommendationIds),
    ...plan.accounts.flatMap(anomalyIds),
  ]);
}

/** The parts of an answer that must be equal: without generated ids, and without the order of audit entries of the same
 *  instant. */
function summary(answer: Answered, { path }: Question, known: ReadonlySet<string>) {
  const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
  const text = answer.text.replaceAll(uuid, (id) => (known.has(id) ? id : 'an id'));
  const header = (name: string) => answer.headers.get(name);
  return {
    status: answer.status,
    text: path.startsWith('/audit-logs') ? text.split(/\r\n|(?<=\}),(?=\{)/).toSorted() : text,
    headers: ['etag', 'content-type', 'link', 'retry-after', 'content-disposition'].map(header),
  };
}
