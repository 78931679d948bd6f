import { describe, expect, it } from 'vitest';
import { aTeam, conflict, failure, forbidden, invalid } from '../team.ts';

const rules = [{ key: 'team' }];
const condition = { dimension: 'service', operator: 'in', values: ['EC2'] };
const place = { x: 0, y: 0, w: 6, h: 4 };
const widget = (title: string) => ({ query: { group: 'service' }, chart: 'bar', title, ...place });

/** Each kind of record: its path, a new one and a change. */
const kinds = [
  ['/alert-rules', { name: 'Daily', metric: 'daily_cost', operator: 'gt', threshold: 5 }, { emails: ['a@b.example'] }],
  ['/annotations', { text: 'Migration', start_date: '2026-11-01' }, { text: 'Migrated' }],
  ['/budgets', { name: 'All', amount: 100 }, { alert_thresholds: [50] }],
  [
    '/channels',
    { name: 'Costs', kind: 'slack', url: 'https://hooks.slack.com/services/T1/B1/secret' },
    { name: 'Costs 2' },
  ],
  ['/dashboards', { name: 'Monday', widgets: [widget('One')] }, { widgets: [widget('Two')] }],
  [
    '/reports/schedules',
    { name: 'Weekly', type: 'cost_by_account', format: 'csv', frequency: 'weekly' },
    { recipients: ['a@b.example'] },
  ],
  ['/tag-policies', { name: 'Teams', rules }, { rules: [{ key: 'cost_center' }] }],
  ['/metrics', { key: 'orders', name: 'Orders', unit: 'order' }, { name: 'All orders' }],
  ['/views', { name: 'By service', page: 'costs', query: { group: 'service' } }, { query: { group: 'region' } }],
  [
    '/virtual-tags',
    { name: 'Team', rules: [{ value: 'web', conditions: [condition] }] },
    { rules: [{ value: 'data', conditions: [condition] }] },
  ],
] as const;

const later = (at: string) => new Date(new Date(at).getTime() + 1).toISOString();

describe('if_unmodified_since', () => {
  it.each(kinds)('of %s refuses a change of a state that the client has not read', async (path, body, change) => {
    const { rest } = await aTeam();
    const made = await rest('ana', 'POST', path, body);
    expect(made.status).toBe(201);
    const one = `${path}/${made.body.id}`;
    const read: string = made.body.updated_at;
    const send = (fields: object) => rest('ana', 'PATCH', one, fields);

    const first = await send({ ...change, if_unmodified_since: read });
    expect([first.status, first.body.updated_at]).toEqual([200, later(read)]);
    const stale = await send({ ...change, if_unmodified_since: read });
    const words = `^if_unmodified_since "${read}" is before the last change of the [a-z ]+ at ${later(read)}; reload it, then`;
    expect(stale).toEqual(conflict(new RegExp(words)));
    expect(stale.body.error).toMatchObject({ field: 'if_unmodified_since' });
    expect((await rest('ana', 'GET', one)).body).toEqual(first.body);

    expect(await send({ ...change, if_unmodified_since: later(read) })).toMatchObject({ status: 200 });
    expect(await send({ ...change, if_unmodified_since: null })).toMatchObject({ status: 200 });
    expect(await send(change)).toMatchObject({ status: 200 });
  });

  it('is no change by itself, and no field of an audit entry', async () => {
    const team = await aTeam();
    const { body } = await team.rest('ana', 'POST', '/tag-policies', { name: 'Audited', rules });
    const since = { if_unmodified_since: body.updated_at };
    expect(await team.rest('ana', 'PATCH', `/tag-policies/${body.id}`, since)).toEqual(invalid(/^Nothing to change/));
    const wrong = { enabled: false, if_unmodified_since: 'yesterday' };
    expect(await team.rest('ana', 'PATCH', `/tag-policies/${body.id}`, wrong)).toEqual(invalid(/^if_unmodified_since/));
    await team.rest('ana', 'PATCH', `/tag-policies/${body.id}`, { enabled: false, ...since });
    const entry = (await team.recorded()).findLast(({ action }) => action === 'tag_policy_updated');
    expect(entry?.details).toMatchObject({ changed: ['enabled'] });
  });

  it('reveals to restricted members no records that they cannot see or change', async () => {
    const team = await aTeam();
    await team.join('eve', 'admin', [team.accounts.one]);
    const since = { name: 'Mine', if_unmodified_since: '2020-01-01T00:00:00.000Z' };
    const policy = await team.rest('ana', 'POST', '/tag-policies', { name: 'For all', rules });
    expect(await team.rest('eve', 'PATCH', `/tag-policies/${policy.body.id}`, since)).toEqual(
      forbidden(/all accounts/),
    );
    const own = { name: 'Of two', rules, account_id: team.accounts.two };
    const hidden = await team.rest('ana', 'POST', '/tag-policies', own);
    expect(await team.rest('eve', 'PATCH', `/tag-policies/${hidden.body.id}`, since)).toEqual(
      failure(404, 'NOT_FOUND', /not found/),
    );
    const visible = await team.rest('ana', 'POST', '/tag-policies', { ...own, account_id: team.accounts.one });
    expect(await team.rest('eve', 'PATCH', `/tag-policies/${visible.body.id}`, since)).toEqual(conflict(/tag policy/));
    const tag = { name: 'Area', rules: [{ value: 'web', conditions: [condition] }] };
    const made = await team.rest('ana', 'POST', '/virtual-tags', tag);
    expect(await team.rest('eve', 'PATCH', `/virtual-tags/${made.body.id}`, since)).toEqual(forbidden(/all accounts/));
  });

  it('lets one of two concurrent changes of the same state win', async () => {
    const team = await aTeam();
    const { body } = await team.rest('ana', 'POST', '/dashboards', { name: 'Raced', visibility: 'organization' });
    const changes = ['ana', 'ben'].map((name) =>
      team.rest(name, 'PATCH', `/dashboards/${body.id}`, {
        widgets: [widget(name)],
        if_unmodified_since: body.updated_at,
      }),
    );
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 409]);
  });
});
