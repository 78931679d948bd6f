import { beforeEach, describe, expect, it } from 'vitest';
import { aTeam, failure, forbidden, invalid, type Team } from '../../tenancy/team.ts';

let team: Team;
beforeEach(async () => {
  team = await aTeam();
  await team.join('eve', 'member', [team.accounts.one]);
});

const notFound = failure(404, 'NOT_FOUND');
const note = { start_date: '2026-05-11', text: 'Migration to Graviton began' };

async function add(who: string, body: object = {}): Promise<string> {
  const answer = await team.rest(who, 'POST', '/annotations', { ...note, ...body });
  expect(answer.status).toBe(201);
  return String(answer.body.id);
}

const textsOf = async (who: string, query = ''): Promise<string[]> =>
  (await team.rest(who, 'GET', `/annotations${query}`)).body.data.map(({ text }: { text: string }) => text);

describe('annotations', () => {
  it('are added, changed and deleted, with an audit entry each', async () => {
    const made = await team.rest('cleo', 'POST', '/annotations', { ...note, text: ' Began ' });
    expect(made.status).toBe(201);
    const day = { start_date: '2026-05-11', end_date: '2026-05-11' };
    expect(made.body).toMatchObject({ ...day, text: 'Began', account_id: null });
    const path = `/annotations/${made.body.id}`;
    const range = { start_date: '2026-05-11', end_date: '2026-05-22' };
    expect((await team.rest('cleo', 'PATCH', path, { end_date: '2026-05-22' })).body).toMatchObject(range);
    expect((await team.rest('cleo', 'PATCH', path, { end_date: null, text: 'Ended' })).body).toMatchObject({
      ...day,
      text: 'Ended',
    });
    expect((await team.rest('cleo', 'DELETE', path)).status).toBe(204);
    expect(await team.rest('cleo', 'GET', path)).toEqual(notFound);
    const entries = (await team.recorded()).filter(({ resourceType }) => resourceType === 'annotation');
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['annotation_created', { ...day, account_id: null }],
      ['annotation_updated', { ...range, account_id: null, changed: ['end_date'] }],
      ['annotation_updated', { ...day, account_id: null, changed: ['end_date', 'text'] }],
      ['annotation_deleted', { ...day, account_id: null }],
    ]);
  });

  it('are changed and deleted by their owner and by Admins', async () => {
    const id = await add('cleo');
    await team.join('finn', 'member');
    const change = { text: 'Ended' };
    expect(await team.rest('finn', 'PATCH', `/annotations/${id}`, change)).toEqual(
      forbidden('belongs to another member'),
    );
    expect(await team.rest('finn', 'DELETE', `/annotations/${id}`)).toEqual(forbidden('belongs to another member'));
    expect((await team.rest('ben', 'PATCH', `/annotations/${id}`, change)).status).toBe(200);
    expect((await team.rest('ben', 'DELETE', `/annotations/${id}`)).status).toBe(204);
  });

  it('are visible to restricted members if they are about the organization or their accounts', async () => {
    const { one, two } = team.accounts;
    await add('ana', { text: 'All' });
    await add('ana', { text: 'One', account_id: one });
    const hidden = await add('ana', { text: 'Two', account_id: two });
    expect(await textsOf('eve')).toEqual(['One', 'All']);
    expect(await textsOf('eve', `?account_id=${two}`)).toEqual(['All']);
    expect(await team.rest('eve', 'GET', `/annotations/${hidden}`)).toEqual(notFound);
    expect(await textsOf('ana', `?account_id=${two}`)).toEqual(['Two', 'All']);
  });

  it('of restricted members are about their own accounts', async () => {
    const { one, two } = team.accounts;
    const id = await add('eve', { account_id: one });
    expect(await team.rest('eve', 'POST', '/annotations', note)).toEqual(forbidden('account_id is required'));
    expect(await team.rest('eve', 'PATCH', `/annotations/${id}`, { account_id: null })).toEqual(
      forbidden('account_id is required'),
    );
    expect(await team.rest('eve', 'PATCH', `/annotations/${id}`, { account_id: two })).toEqual(
      invalid('is not an account of the organization'),
    );
    await team.join('gil', 'admin', [one]);
    const ours = await add('ana');
    expect(await team.rest('gil', 'DELETE', `/annotations/${ours}`)).toEqual(forbidden('is about the organization'));
  });

  it('are listed with at least one day in a range, latest start first', async () => {
    await add('ana', { text: 'May', start_date: '2026-05-01', end_date: '2026-05-31' });
    await add('ana', { text: 'Day', start_date: '2026-05-10' });
    expect(await textsOf('ana', '?start_date=2026-05-10&end_date=2026-05-10')).toEqual(['Day', 'May']);
    expect(await textsOf('ana', '?start_date=2026-05-11')).toEqual(['May']);
    expect(await textsOf('ana', '?end_date=2026-05-09')).toEqual(['May']);
    expect(await textsOf('ana', '?start_date=2026-06-01')).toEqual([]);
    expect(await textsOf('ana', '?sort_by=start_date')).toEqual(['May', 'Day']);
    expect(await team.rest('ana', 'GET', '/annotations?start_date=2026-05-11&end_date=2026-05-10')).toEqual(
      invalid('end_date "2026-05-10" is before start_date 2026-05-11'),
    );
  });

  it('accept ranges of up to 366 days', async () => {
    const range = { start_date: '2025-05-11', end_date: '2026-05-11' };
    const id = await add('ana', range);
    expect(await team.rest('ana', 'PATCH', `/annotations/${id}`, { end_date: '2026-05-12' })).toEqual(
      invalid('days apart; use 2026-05-11 or an earlier day'),
    );
    expect(await team.rest('ana', 'PATCH', `/annotations/${id}`, { start_date: '2026-05-12' })).toEqual(
      invalid('^start_date "2026-05-12" is after end_date 2026-05-11; change end_date, too$'),
    );
    expect(await team.rest('ana', 'PATCH', `/annotations/${id}`, { start_date: '2025-05-10' })).toEqual(
      invalid(
        '^start_date "2025-05-10" and end_date 2026-05-11 are more than 365 days apart; use 2025-05-11 or a later day$',
      ),
    );
  });

  it.each([
    [{ text: ' ' }, /^text .*blank/],
    [{ text: 'x'.repeat(501) }, /^text can have at most 500 characters, not 501/],
    [{ text: 'One\nTwo' }, /^text must be on one line/],
    [{ start_date: '2026-02-30' }, /^start_date must be a day/],
    [{ end_date: '2026-05-10' }, /^end_date "2026-05-10" is before start_date 2026-05-11/],
    [{ end_date: '2027-05-12' }, /^end_date "2027-05-12" and start_date 2026-05-11 are more than 365 days apart/],
    [{ account_id: '019e0000-0000-7000-8000-000000000000' }, /^account_id .* is not an account of the organization/],
  ])('are rejected if invalid, case %#', async (fault, message) => {
    expect(await team.rest('ana', 'POST', '/annotations', { ...note, ...fault })).toEqual(invalid(message));
  });
});
