import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/kit/ids.ts';
import { remakeSums } from '../../src/analysis/recommendations/sums-store.ts';
import { inTransaction } from '../../src/kit/database/transaction.ts';
import { orgScope } from '../../src/tenancy/auth/scope.ts';
import { aTeam, failure, forbidden, invalid, type Team } from '../tenancy/team.ts';
import { keepAnomaly } from './anomalies/kept.ts';

let team: Team;
let made = 0;
beforeEach(async () => {
  team = await aTeam();
});

type Account = 'one' | 'two';

async function keepRecommendation(account: Account, now: Date): Promise<string> {
  const id = newId(now);
  const accountId = team.accounts[account];
  await team.db.recommendation.create({
    data: {
      id,
      organizationId: team.organizationId,
      accountId,
      fingerprint: id,
      provider: 'aws',
      type: 'aws_eip_idle',
      title: 'Release it',
      description: 'Idle',
      currency: 'USD',
      estimatedMonthlySavings: 10,
      confidence: 'high',
      evidence: {},
      scripts: [],
      createdAt: now,
      updatedAt: now,
    },
  });
  await inTransaction(team.deps.pool, (client) => remakeSums(client, orgScope(team.organizationId, null), accountId));
  return id;
}

const kinds = {
  anomalies: {
    noun: 'Anomaly',
    statuses: ['open', 'acknowledged'],
    keep: (account: Account, now: Date) => {
      const owner = { organizationId: team.organizationId, accountId: team.accounts[account], now };
      return keepAnomaly(team.db, owner, { service: `Service ${made}` });
    },
  },
  recommendations: { noun: 'Recommendation', statuses: ['open', 'applied'], keep: keepRecommendation },
} as const;

const userOf = async (name: string) =>
  (await team.db.user.findUniqueOrThrow({ where: { email: `${name}@example.com` } })).id;

describe.each(['anomalies', 'recommendations'] as const)('%s', (plural) => {
  const { noun, statuses, keep: write } = kinds[plural];
  const update = noun === 'Anomaly' ? 'Anomalies' : 'Recommendations';
  const keep = (account: Account = 'one') => {
    made += 1;
    return write(account, new Date(team.deps.clock.now().getTime() + made));
  };
  const patch = (id: string, body: object, who = 'cleo') => team.rest(who, 'PATCH', `/${plural}/${id}`, body);
  const patchAll = (body: object, who = 'cleo') => team.rest(who, 'PATCH', `/${plural}`, body);
  const idsOf = async (query: string, who = 'dan') => {
    const { body } = await team.rest(who, 'GET', `/${plural}${query}`);
    const { data, pagination } = body as { data: { id: string }[]; pagination: { total: number } };
    expect(pagination.total).toBe(data.length);
    return data.map(({ id }) => id).toSorted();
  };

  it('assigns a member and keeps a note, audits both, and clears them', async () => {
    const id = await keep();
    const ben = await userOf('ben');
    const answer = await patch(id, { assignee_id: ben, note: '  Ask the\nplatform team ' });
    expect(answer).toMatchObject({
      status: 200,
      body: { id, assignee_id: ben, note: 'Ask the\nplatform team', status: 'open', status_changed_at: null },
    });
    expect((await team.rest('dan', 'GET', `/${plural}/${id}`)).body).toEqual(answer.body);
    expect((await team.recorded()).at(-1)).toMatchObject({
      action: `${noun.toLowerCase()}_changed`,
      details: { assignee: 'ben@example.com', note: 'Ask the\nplatform team' },
    });
    expect((await team.recorded()).at(-1)?.details).not.toHaveProperty('status');
    const field = noun.toLowerCase();
    const query = `{ ${field}(id: "${id}") { assigneeId assignee { name } note } }`;
    expect((await team.gql('dan', query)).body.data[field]).toEqual({
      assigneeId: ben,
      assignee: { name: 'ben' },
      note: 'Ask the\nplatform team',
    });
    const cleared = { assignee_id: null, note: null };
    expect((await patch(id, { assignee_id: null, note: ' ' })).body).toMatchObject(cleared);
    expect((await team.recorded()).at(-1)?.details).toEqual({ assignee: null, note: null });
  });

  it('assigns only members with access to the account', async () => {
    const [one, two] = [await keep('one'), await keep('two')];
    await team.join('eve', 'member', [team.accounts.one]);
    const [eve, stranger] = [await userOf('eve'), (await team.register('zoe')).viewer.userId];
    expect((await patch(one, { assignee_id: eve })).status).toBe(200);
    const refused = invalid(
      /^assignee_id ".*" is not a member of the organization with access to the account; use a user id of GET \/org\/members$/,
    );
    expect(await patch(two, { assignee_id: eve })).toEqual(refused);
    for (const assignee of [stranger, newId(team.deps.clock.now()), 'nonsense'])
      expect(await patch(one, { assignee_id: assignee })).toEqual(refused);
    expect(await patchAll({ ids: [one, two], assignee_id: eve, status: 'open' })).toEqual(refused);
    expect(await patch(one, { note: 'x'.repeat(2001) })).toEqual(
      invalid('note must be at most 2000 characters, not 2001'),
    );
  });

  it('rejects a change of a note that the client has not read since its last change', async () => {
    const id = await keep();
    expect((await patch(id, { note: 'Yours', if_note: null })).status).toBe(200);
    for (const read of [null, 'Old']) {
      const stale = await patch(id, { note: 'Mine', if_note: read }, 'ben');
      expect(stale).toEqual(
        failure(409, 'CONFLICT', 'if_note is not the current note; reload it, then apply your change again'),
      );
      expect(stale.body.error).toMatchObject({ field: 'if_note' });
    }
    expect((await team.recorded()).map(({ details }) => details)).toEqual([{ note: 'Yours' }]);
    expect((await patch(id, { note: 'Mine', if_note: 'Yours' }, 'ben')).body).toMatchObject({ note: 'Mine' });
    expect(await patch(id, { if_note: 'Mine' })).toEqual(invalid(/^Nothing to change/));
  });

  it('rejects a change of a status that the client has not read since its last change', async () => {
    const id = await keep();
    expect((await patch(id, { status: statuses[1], if_status: statuses[0] })).status).toBe(200);
    const stale = await patch(id, { status: statuses[1], status_reason: 'Mine', if_status: statuses[0] }, 'ben');
    expect(stale).toEqual(
      failure(409, 'CONFLICT', 'if_status is not the current status; reload it, then apply your change again'),
    );
    expect(stale.body.error).toMatchObject({ field: 'if_status' });
    expect((await patch(id, { status: statuses[0], if_status: statuses[1] }, 'ben')).status).toBe(200);
  });

  it('filters by assignee, and exports assignee and note as CSV', async () => {
    const [mine, yours, free] = [await keep(), await keep(), await keep()];
    const [cleo, ben] = [await userOf('cleo'), await userOf('ben')];
    await patch(mine, { assignee_id: cleo, note: 'Look, twice' });
    await patch(yours, { assignee_id: ben });
    for (const [query, ids] of [
      [`?assignee_id=${cleo}`, [mine]],
      [`?assignee_id=${cleo}&assignee_id=${ben}`, [mine, yours]],
      ['?unassigned=true', [free]],
      [`?unassigned=true&assignee_id=${ben}`, [yours, free]],
      ['?unassigned=false', [mine, yours, free]],
      ['?assignee_id=nonsense', []],
      [`?assignee_id=${newId(team.deps.clock.now())}`, []],
    ] as const)
      expect({ query, ids: await idsOf(query) }).toEqual({ query, ids: ids.toSorted() });
    const csv = await team.ask('GET', `/api/v1/${plural}?assignee_id=${cleo}`, undefined, {
      authorization: `Bearer ${team.tokens['dan']}`,
      accept: 'text/csv',
    });
    const [head = '', row = ''] = csv.text.split('\r\n');
    expect(head.split(',')).toEqual(expect.arrayContaining(['assignee_id', 'note']));
    expect(row).toContain(cleo);
    expect(row).toContain('"Look, twice"');
  });

  it('changes several at once, with one audit entry each', async () => {
    const ids = [await keep('one'), await keep('two'), await keep('one')];
    const cleo = await userOf('cleo');
    const status = plural === 'anomalies' ? 'acknowledged' : 'in_progress';
    const changed = { status, status_reason: 'Planned', assignee_id: cleo, note: 'May' };
    const { body, ...rest } = await patchAll({ ids: [...ids, ids[0]], ...changed });
    expect(rest.status).toBe(200);
    expect(body).toEqual({ data: ids.map((id) => expect.objectContaining({ id, ...changed }) as unknown) });
    const entries = (await team.recorded()).slice(-3);
    expect(entries.map(({ details }) => details)).toEqual(
      ids.map(() => ({
        status: { before: 'open', after: status },
        reason: 'Planned',
        assignee: 'cleo@example.com',
        note: 'May',
      })),
    );
    const mutation = `mutation ($ids: [ID!]!) { update${update}(
      input: { ids: $ids, status: OPEN }) { data { id status account { name } } } }`;
    const asked = await team.gql('cleo', mutation, { ids: ids.toReversed() });
    expect(Object.values(asked.body.data)).toEqual([
      { data: ['one', 'two', 'one'].map((name, at) => ({ id: ids[2 - at], status: 'OPEN', account: { name } })) },
    ]);
  });

  it('rejects a change of several whose statuses the client has not read since their last change', async () => {
    const [one, two] = [await keep('one'), await keep('two')];
    await patch(two, { status: statuses[1], status_reason: 'Yours' }, 'ben');
    const change = { ids: [one, two, one], status: statuses[1], status_reason: 'Mine' };
    const stale = await patchAll({ ...change, if_status: [statuses[0], statuses[0], statuses[0]] });
    const message = `if_status[1] is not the current status of ${noun.toLowerCase()} "${two}"; reload it, then apply your change again`;
    expect(stale).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', message, field: 'if_status[1]', resource_id: two } },
    });
    const mutation = `mutation ($input: Update${update}Input!) { update${update}(input: $input) { data { id } } }`;
    const input = { ids: [one, two], note: 'Mine', ifStatus: ['OPEN', 'OPEN'] };
    expect((await team.gql('cleo', mutation, { input })).body.errors[0].extensions).toMatchObject({
      code: 'CONFLICT',
      field: 'input.ifStatus[1]',
      resourceId: two,
    });
    expect((await team.recorded()).map(({ details }) => details)).toMatchObject([{ reason: 'Yours' }]);

    for (const read of [[], [statuses[0]], [statuses[0], statuses[1]]])
      expect(await patchAll({ ...change, if_status: read })).toEqual(
        invalid(`if_status must have a status for each of the 3 ids, not ${read.length}`),
      );
    expect(await patchAll({ ids: [one], if_status: [statuses[0]] })).toEqual(invalid(/^Nothing to change/));
    const current = [statuses[0], statuses[1], statuses[0]];
    expect((await patchAll({ ...change, if_status: current })).body.data).toMatchObject(
      [one, two].map((id) => ({ id, status: statuses[1], status_reason: 'Mine' })),
    );
  });

  it('changes all or nothing, and names the ids that are unknown or outside the scope', async () => {
    const [one, two] = [await keep('one'), await keep('two')];
    await team.join('eve', 'member', [team.accounts.one]);
    const unknown = newId(team.deps.clock.now());
    expect(await patchAll({ ids: [one, two], note: 'x' }, 'eve')).toEqual(
      failure(404, 'NOT_FOUND', `${noun} "${two}" not found`),
    );
    const missing = `${update} "${unknown}", "nonsense" not found`;
    expect(await patchAll({ ids: [one, unknown, 'nonsense'], note: 'x' })).toEqual(failure(404, 'NOT_FOUND', missing));
    expect((await team.rest('dan', 'GET', `/${plural}/${one}`)).body).toMatchObject({ note: null });
    expect(await team.recorded()).toEqual([]);
  });

  it('rejects Viewers, no changes, and no or too many ids', async () => {
    const id = await keep();
    expect(await patchAll({ ids: [id], note: 'x' }, 'dan')).toEqual(forbidden(/./));
    expect(await patchAll({ ids: [id] })).toEqual(invalid(/^Nothing to change; send at least one of status, /));
    expect(await patchAll({ ids: [id], status: null })).toEqual(invalid(/status/));
    expect(await patchAll({ ids: [], note: 'x' })).toEqual(invalid(/ids/));
    expect(await patchAll({ ids: Array.from({ length: 101 }, () => id), note: 'x' })).toEqual(invalid(/ids/));
    expect(await patchAll({ note: 'x' })).toEqual(invalid(/ids/));
  });

  it('is unassigned when its assignee is removed', async () => {
    const [mine, yours] = [await keep(), await keep()];
    const [cleo, ben] = [await userOf('cleo'), await userOf('ben')];
    await patch(mine, { assignee_id: cleo, note: 'Mine' });
    await patch(yours, { assignee_id: ben });
    await team.rest('ana', 'DELETE', `/org/members/${team.id('cleo')}`);
    expect((await team.rest('dan', 'GET', `/${plural}/${mine}`)).body).toMatchObject({
      assignee_id: null,
      note: 'Mine',
    });
    expect(await idsOf(`?assignee_id=${ben}`)).toEqual([yours]);
  });
});

it('keeps the sums of recommendations when several change, and snoozes several', async () => {
  const { keep } = kinds.recommendations;
  const now = team.deps.clock.now().getTime();
  const ids = [await keep('one', new Date(now + 1)), await keep('two', new Date(now + 2))];
  const extra = await keep('one', new Date(now + 3));
  const cleo = await userOf('cleo');
  await team.rest('cleo', 'PATCH', '/recommendations', { ids, status: 'archived', assignee_id: cleo });
  const summary = async (query = '') =>
    (await team.rest('dan', 'GET', `/recommendations/summary${query}`)).body as { by_status: object[] };
  expect((await summary()).by_status).toEqual([
    { status: 'archived', count: 2, estimated_monthly_savings: 20 },
    { status: 'open', count: 1, estimated_monthly_savings: 10 },
  ]);
  expect((await summary(`?assignee_id=${cleo}`)).by_status).toEqual([
    { status: 'archived', count: 2, estimated_monthly_savings: 20 },
  ]);
  const snoozed = await team.rest('cleo', 'PATCH', '/recommendations', { ids: [...ids, extra], snooze_days: 7 });
  const until = new Date(now + 7 * 86_400_000).toISOString();
  expect(snoozed.body.data).toMatchObject(Array.from({ length: 3 }, () => ({ snoozed_until: until })));
  expect((await summary()).by_status).toEqual([]);
});
