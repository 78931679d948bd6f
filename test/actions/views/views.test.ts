import { beforeEach, describe, expect, it } from 'vitest';
import { aTeam, conflict, failure, forbidden, invalid, type Team } from '../../tenancy/team.ts';

let team: Team;
beforeEach(async () => {
  team = await aTeam();
  await team.join('eve', 'member', [team.accounts.one]);
});

const notFound = failure(404, 'NOT_FOUND');
const shared = { visibility: 'organization' };

async function save(who: string, body: object): Promise<string> {
  const answer = await team.rest(who, 'POST', '/views', { name: `View ${Math.random()}`, page: 'costs', ...body });
  expect(answer.status).toBe(201);
  return String(answer.body.id);
}

const namesOf = async (who: string, path: string): Promise<string[]> =>
  (await team.rest(who, 'GET', path)).body.data.map(({ name }: { name: string }) => name);

describe('saved views', () => {
  it('are saved, changed, listed and deleted, with an audit entry each that omits private names', async () => {
    const query = { group: 'service', provider: ['aws', 'gcp'] };
    const made = await team.rest('cleo', 'POST', '/views', { name: ' By service ', page: 'costs', query });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ name: 'By service', page: 'costs', query, visibility: 'private' });
    const path = `/views/${made.body.id}`;
    expect(await namesOf('cleo', '/views?pages=costs')).toContain('By service');
    expect(await namesOf('cleo', '/views?pages=anomalies')).toEqual([]);
    const changed = await team.rest('cleo', 'PATCH', path, { query: { group: 'region' }, ...shared });
    expect(changed.body).toMatchObject({ name: 'By service', query: { group: 'region' }, ...shared });
    expect((await team.rest('cleo', 'DELETE', path)).status).toBe(204);
    expect(await team.rest('cleo', 'GET', path)).toEqual(notFound);
    const entries = (await team.recorded()).filter(({ resourceType }) => resourceType === 'saved_view');
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['saved_view_created', { page: 'costs', visibility: 'private', account_ids: null }],
      [
        'saved_view_updated',
        { name: 'By service', page: 'costs', ...shared, account_ids: null, changed: ['query', 'visibility'] },
      ],
      ['saved_view_deleted', { name: 'By service', page: 'costs', ...shared, account_ids: null }],
    ]);
  });

  it('are private to their owner until they are shared', async () => {
    const id = await save('dan', { name: 'Mine' });
    expect(await team.rest('ana', 'GET', `/views/${id}`)).toEqual(notFound);
    expect(await team.rest('ana', 'PATCH', `/views/${id}`, { name: 'Ours' })).toEqual(notFound);
    expect(await team.rest('dan', 'PATCH', `/views/${id}`, shared)).toEqual(forbidden('is not available to Viewers'));
    const ours = await save('cleo', { name: 'Ours', ...shared });
    expect((await team.rest('dan', 'GET', `/views/${ours}`)).status).toBe(200);
    expect(await team.rest('dan', 'DELETE', `/views/${ours}`)).toEqual(forbidden('belongs to another member'));
    expect(await team.rest('ben', 'PATCH', `/views/${ours}`, { visibility: 'private' })).toEqual(
      forbidden('can only be set by the owner'),
    );
    expect((await team.rest('ben', 'PATCH', `/views/${ours}`, { name: 'Everyone’s' })).status).toBe(200);
  });

  it('have unique names, ignoring case: shared ones in the organization, private ones per owner', async () => {
    await save('cleo', { name: 'Regions', ...shared });
    const again = { name: 'REGIONS', page: 'anomalies' };
    expect(await team.rest('ana', 'POST', '/views', { ...again, ...shared })).toEqual(
      conflict(/^name "REGIONS" is taken/),
    );
    expect((await team.rest('ana', 'POST', '/views', again)).status).toBe(201);
    expect(await team.rest('ana', 'POST', '/views', again)).toEqual(conflict(/^name "REGIONS" is taken/));
    const id = await save('cleo', { name: 'Regions' });
    expect(await team.rest('cleo', 'PATCH', `/views/${id}`, shared)).toEqual(conflict(/is taken/));
  });

  it('are limited per member to a quarter of the organization’s maximum, so that one member cannot block the others', async () => {
    const id = await save('dan', { name: 'First' });
    // Private copies by the same owner.
    await team.db.$executeRaw`
      INSERT INTO saved_views SELECT (jsonb_populate_record(v, jsonb_build_object('id', gen_random_uuid(), 'name', 'Copy ' || n))).*
      FROM saved_views v, generate_series(1, 498) n WHERE v.id = ${id}::uuid`;
    await save('dan', { name: 'Last' });
    expect(await team.rest('dan', 'POST', '/views', { name: 'More', page: 'costs' })).toEqual(
      invalid(
        /^A member who is not an Admin can have at most 500 of the 2000 saved views of the organization; delete one of yours first$/,
      ),
    );
    await save('cleo', { name: 'Other' });
    await team.db
      .$executeRaw`UPDATE saved_views SET created_by_id = (SELECT created_by_id FROM saved_views WHERE id = ${await save('ben', {})}::uuid)`;
    await save('ben', { name: 'By an Admin' });
    expect((await team.rest('dan', 'DELETE', `/views/${await save('dan', {})}`)).status).toBe(204);
  });

  it('are found by restricted members if limited to their accounts', async () => {
    const { one, two } = team.accounts;
    const queries = { all: {}, one: { account: one }, both: { account: [one, two] }, prefix: { account: `${one}*` } };
    const ids: Record<string, string> = {};
    for (const [name, query] of Object.entries(queries)) ids[name] = await save('ana', { query, ...shared });
    const found = Object.entries(ids).map(async ([name, id]) => [
      name,
      (await team.rest('eve', 'GET', `/views/${id}`)).status,
    ]);
    expect(await Promise.all(found)).toEqual([
      ['all', 404],
      ['one', 200],
      ['both', 404],
      ['prefix', 404],
    ]);
    const own = await save('eve', { query: {} });
    expect((await team.rest('eve', 'GET', `/views/${own}`)).status).toBe(200);
  });

  it('are named to restricted Admins in the audit log only if they see them', async () => {
    const { one, two } = team.accounts;
    await team.join('fay', 'admin', [one]);
    await save('ana', { name: 'All', query: {}, ...shared });
    await save('ana', { name: 'One', query: { account: one }, ...shared });
    await save('ana', { name: 'Both', query: { account: [one, two] }, ...shared });
    const { body } = await team.rest('fay', 'GET', '/audit-logs?action=saved_view_created');
    expect(body.data.map(({ details }: { details: object }) => details)).toEqual([
      {},
      { name: 'One', page: 'costs', ...shared, account_ids: [one] },
      {},
    ]);
  });

  it.each([
    [{ name: ' ' }, /^name must have 1 to 100 characters/],
    [{ name: 'n'.repeat(101) }, /^name must have 1 to 100 characters, not 101/],
    [{ page: 'settings' }, /^page must be one of costs, .* not "settings"$/],
    [{ query: { group: 1 } }, /^query\.group must be a string or a list of strings/],
    [{ query: { group: '' } }, /^query\.group "" is not a value/],
    [{ query: { group: [] } }, /^query\.group must have 1 to 100 values, not 0/],
    [{ query: { group: 'x'.repeat(501) } }, /^query\.group .* is not a value/],
    [{ query: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`p${at}`, 'x'])) }, /^query .*50/],
    [{ query: { a: Array.from({ length: 20 }, () => 'x'.repeat(450)) } }, /^query can have at most 8000 characters/],
  ])('are rejected if invalid, case %#', async (fault, message) => {
    expect(await team.rest('ana', 'POST', '/views', { name: 'Fault', page: 'costs', ...fault })).toEqual(
      invalid(message),
    );
  });
});

const place = { x: 0, y: 0, w: 6, h: 4 };
const widget = { query: { group: 'service' }, chart: 'bar', ...place };

describe('dashboards', () => {
  it('keep widgets of views and queries, in order', async () => {
    const view = await save('ana', { name: 'For a dashboard', ...shared });
    const widgets = [
      { view_id: view, chart: 'area', ...place },
      { ...widget, title: 'Services', x: 6 },
    ];
    const made = await team.rest('ana', 'POST', '/dashboards', { name: 'Monday', ...shared, widgets });
    expect(made.body.widgets).toMatchObject([
      { view_id: view, query: null, title: null, chart: 'area', ...place },
      { view_id: null, query: { group: 'service' }, title: 'Services', ...place, x: 6 },
    ]);
    const path = `/dashboards/${made.body.id}`;
    const moved = made.body.widgets.map((one: object) => ({ ...one, y: 4 }));
    const body = moved.map(({ id, view_id, query, chart, title, x, y, w, h }: Record<string, unknown>) => ({
      id,
      view_id,
      query,
      chart,
      title,
      x,
      y,
      w,
      h,
    }));
    expect((await team.rest('ben', 'PATCH', path, { widgets: body })).body.widgets).toEqual(moved);
    expect(await team.rest('cleo', 'PATCH', path, { name: 'Mine' })).toEqual(forbidden('belongs to another member'));
    expect((await team.rest('ben', 'DELETE', path)).status).toBe(204);
  });

  it('load without the views that are deleted or private to another member, and can still be changed', async () => {
    const gone = await save('cleo', { name: 'Gone', ...shared });
    const hidden = await save('cleo', { name: 'Hidden' });
    const widgets = [gone, hidden].map((view_id) => ({ view_id, chart: 'bar', ...place }));
    const { body } = await team.rest('cleo', 'POST', '/dashboards', { name: 'Of Cleo', ...shared, widgets });
    await team.rest('cleo', 'DELETE', `/views/${gone}`);
    const read = `{ dashboard(id: "${body.id}") { widgets { viewId view { name } } } }`;
    expect((await team.gql('ana', read)).body.data.dashboard.widgets).toEqual([
      { viewId: gone, view: null },
      { viewId: hidden, view: null },
    ]);
    expect((await team.gql('cleo', read)).body.data.dashboard.widgets[1].view).toEqual({ name: 'Hidden' });
    const kept = { widgets: [{ view_id: hidden, chart: 'number', ...place }] };
    expect((await team.rest('ana', 'PATCH', `/dashboards/${body.id}`, kept)).status).toBe(200);
    expect(await team.rest('ana', 'POST', '/dashboards', { name: 'Copy', ...kept })).toEqual(
      invalid(/^widgets\[0\]\.view_id .* is not a saved view of the page costs/),
    );
  });

  it('are in the audit log of restricted Admins only with details that they may see', async () => {
    const { one, two } = team.accounts;
    await team.join('gus', 'admin', [one]);
    const make = async (name: string, ...accounts: (string | undefined)[]) => {
      const widgets = accounts.map((account) => ({ ...widget, query: account ? { account } : {} }));
      expect((await team.rest('ana', 'POST', '/dashboards', { name, ...shared, widgets })).status).toBe(201);
    };
    await make('Audit one', one);
    await make('Audit two', two);
    await make('Audit both', one, two);
    await make('Audit all', undefined);
    const { body } = await team.rest('gus', 'GET', '/audit-logs?action=dashboard_created&per_page=3');
    expect(body.data.map(({ details }: { details: object }) => details)).toEqual([
      {},
      {},
      { ...shared, widgets: 1, account_ids: [one] },
    ]);
  });

  it('are found by restricted members if all queries are limited to their accounts', async () => {
    const { one, two } = team.accounts;
    const view = await save('ana', { query: { account: one }, ...shared });
    const ofOne = { ...widget, query: { account: one } };
    const ofView = { view_id: view, chart: 'bar', ...place };
    const cases = {
      empty: [],
      inside: [ofOne, ofView],
      all: [ofOne, widget],
      other: [{ ...widget, query: { account: two } }],
    };
    const statuses: Record<string, number> = {};
    for (const [name, widgets] of Object.entries(cases)) {
      const { body } = await team.rest('ana', 'POST', '/dashboards', { name, ...shared, widgets });
      statuses[name] = (await team.rest('eve', 'GET', `/dashboards/${body.id}`)).status;
    }
    expect(statuses).toEqual({ empty: 404, inside: 200, all: 404, other: 404 });
    await team.rest('ana', 'PATCH', `/views/${view}`, { query: {} });
    expect(await namesOf('eve', '/dashboards')).not.toContain('inside');
  });

  it.each([
    [{ ...widget, w: 13 }, /^widgets\[1\]\.w must be 1 to 12, not 13/],
    [
      { ...widget, x: 8, w: 5 },
      /^widgets\[1\]\.w must be at most 4 for a widget in column 8 of a 12-column grid, not 5/,
    ],
    [{ ...widget, y: -1 }, /^widgets\[1\]\.y must be 0 to 999, not -1/],
    [{ ...widget, h: 21 }, /^widgets\[1\]\.h must be 1 to 20, not 21/],
    [{ ...widget, query: { group: 1 } }, /^widgets\[1\]\.query\.group must be a string/],
    [{ chart: 'bar', ...place }, /^widgets\[1\] must have either a view_id or a query/],
    [{ ...widget, chart: 'pie' }, /^widgets\[1\]\.chart must be one of .* not "pie"$/],
    [{ ...widget, title: '' }, /^widgets\[1\]\.title must have 1 to 100 characters/],
    [{ view_id: 'nonsense', chart: 'bar', ...place }, /^widgets\[1\]\.view_id "nonsense" is not a saved view/],
  ])('reject an invalid widget, case %#', async (fault, message) => {
    const answer = await team.rest('ana', 'POST', '/dashboards', { name: 'Fault', widgets: [widget, fault] });
    expect(answer).toEqual(invalid(message));
  });

  it('have at most 40 widgets with different ids', async () => {
    const id = '019ac000-0000-7000-8000-000000000000';
    const body = (widgets: object[]) => ({ name: 'Large', widgets });
    expect(await team.rest('ana', 'POST', '/dashboards', body(Array.from({ length: 41 }, () => widget)))).toEqual(
      invalid(/^widgets .*40/),
    );
    expect(
      await team.rest(
        'ana',
        'POST',
        '/dashboards',
        body([
          { ...widget, id },
          { ...widget, id },
        ]),
      ),
    ).toEqual(invalid(/^widgets\[1\]\.id .* repeats the id of another widget/));
    expect((await team.rest('ana', 'POST', '/dashboards', body(Array.from({ length: 40 }, () => widget)))).status).toBe(
      201,
    );
  });
});

describe('removing a member', () => {
  it('deletes their private views and dashboards, and passes the shared ones to the Super Admin', async () => {
    await team.join('finn', 'member');
    const [kept, gone] = [await save('finn', { name: 'Kept', ...shared }), await save('finn', { name: 'Left' })];
    const widgets = [kept, gone].map((view_id) => ({ view_id, chart: 'bar', ...place }));
    const own = await team.rest('finn', 'POST', '/dashboards', { name: 'Private', widgets });
    const ours = await team.rest('finn', 'POST', '/dashboards', { name: 'Of Finn', ...shared, widgets });
    await team.rest('ana', 'DELETE', `/org/members/${team.id('finn')}`);
    const { userId } = await team.db.membership.findUniqueOrThrow({ where: { id: team.id('ana') } });
    expect((await team.rest('ben', 'GET', `/views/${kept}`)).body.created_by).toBe(userId);
    const read = `{ dashboard(id: "${ours.body.id}") { createdById widgets { view { name } } } }`;
    expect((await team.gql('dan', read)).body.data.dashboard).toEqual({
      createdById: userId,
      widgets: [{ view: { name: 'Kept' } }, { view: null }],
    });
    expect(await team.db.savedView.count({ where: { id: gone } })).toBe(0);
    expect(await team.db.dashboard.count({ where: { id: own.body.id } })).toBe(0);
  });
});
