import { beforeEach, describe, expect, it } from 'vitest';
import { aTeam, forbidden, invalid, type Team } from '../../tenancy/team.ts';

let team: Team;
beforeEach(async () => {
  team = await aTeam();
  await team.join('eve', 'member', [team.accounts.one]);
});

const path = '/dashboards/default';

async function dashboard(who: string, visibility: 'private' | 'organization', account?: string): Promise<string> {
  const query = account === undefined ? { group: 'service' } : { account };
  const widgets = [{ query, chart: 'bar', x: 0, y: 0, w: 6, h: 4 }];
  const made = await team.rest(who, 'POST', '/dashboards', { name: `Of ${Math.random()}`, visibility, widgets });
  return String(made.body.id);
}

const read = async (who: string) => (await team.rest(who, 'GET', path)).body as unknown;

describe('the default dashboard', () => {
  it('is chosen by each member, and by Admins for members without a choice', async () => {
    expect(await read('dan')).toEqual({ own: null, organization: null });
    const own = await dashboard('dan', 'private');
    expect((await team.rest('dan', 'PATCH', path, { own })).body).toEqual({ own, organization: null });
    const ours = await dashboard('ana', 'organization');
    expect(await team.rest('cleo', 'PATCH', path, { organization: ours })).toEqual(forbidden('cannot be changed by'));
    expect((await team.rest('ben', 'PATCH', path, { organization: ours })).status).toBe(200);
    expect(await read('dan')).toEqual({ own, organization: ours });
    expect((await team.rest('dan', 'PATCH', path, { own: 'overview' })).body).toEqual({
      own: 'overview',
      organization: ours,
    });
    expect((await team.rest('dan', 'PATCH', path, { own: null })).body).toEqual({ own: null, organization: ours });
    const entry = (await team.recorded()).find(({ action }) => action === 'settings_changed');
    expect(entry).toMatchObject({ details: { default_dashboard: { from: null, to: ours } } });
  });

  it('counts as not chosen once it is deleted or no longer shared', async () => {
    const [gone, hidden] = [await dashboard('ana', 'organization'), await dashboard('ana', 'organization')];
    await team.rest('ben', 'PATCH', path, { own: gone, organization: hidden });
    expect(await read('ben')).toEqual({ own: gone, organization: hidden });
    await team.rest('ana', 'DELETE', `/dashboards/${gone}`);
    await team.rest('ana', 'PATCH', `/dashboards/${hidden}`, { visibility: 'private' });
    expect(await read('ben')).toEqual({ own: null, organization: null });
    expect(await read('ana')).toEqual({ own: null, organization: null });
  });

  it('is not shown to restricted members if it covers accounts outside their scope', async () => {
    const { one, two } = team.accounts;
    await team.rest('ana', 'PATCH', path, { organization: await dashboard('ana', 'organization', two) });
    expect(await read('eve')).toEqual({ own: null, organization: null });
    const theirs = await dashboard('ana', 'organization', one);
    await team.rest('ana', 'PATCH', path, { organization: theirs });
    expect(await read('eve')).toEqual({ own: null, organization: theirs });
  });

  it('of the organization cannot be chosen by an Admin with access to some accounts', async () => {
    const { one, two } = team.accounts;
    await team.join('fay', 'admin', [one]);
    const hidden = await dashboard('ana', 'organization', two);
    await team.rest('ana', 'PATCH', path, { organization: hidden });
    const theirs = await dashboard('fay', 'organization', one);
    for (const organization of [theirs, null])
      expect(await team.rest('fay', 'PATCH', path, { organization })).toEqual(forbidden('access to some only'));
    expect((await team.rest('fay', 'PATCH', path, { own: theirs })).status).toBe(200);
    expect(await read('ana')).toEqual({ own: null, organization: hidden });
  });

  it('must be a dashboard that the caller sees, and a shared one for the organization', async () => {
    const own = await dashboard('ana', 'private');
    expect(await team.rest('ben', 'PATCH', path, { own })).toEqual(invalid(/^own ".*" is not a dashboard that/));
    expect(await team.rest('ana', 'PATCH', path, { organization: own })).toEqual(
      invalid(/^organization ".*" is not a shared dashboard that/),
    );
    expect(await team.rest('ana', 'PATCH', path, { own: 'forecast' })).toEqual(invalid(/^own "forecast" is not/));
    expect(await team.rest('ana', 'PATCH', path, {})).toEqual(invalid('nothing to change'));
  });
});
