import { beforeAll, describe, expect, it } from 'vitest';
import { announce } from '../../../src/actions/notifications/announce.ts';
import { worldOfFile } from '../../support/world.ts';
import { budgetAlert } from './samples.ts';
import { aTeamToNotify } from './world.ts';

const at = worldOfFile();
const hook = 'https://hooks.slack.com/services/T/B/x';

type Team = Awaited<ReturnType<typeof aTeamToNotify>>;
let team: Team;
const ids: Record<'ana' | 'ben' | 'cleo' | 'dan' | 'eve' | 'fay', string> = {} as never;
let made = 0;

/** A subject that has not been announced before. */
const fresh = () => ({ subjectKey: `subject:${(made += 1)}` });

beforeAll(async () => {
  team = await aTeamToNotify(at().deps);
  const { one, two } = team.accounts;
  ids.ana = await team.join('ana', 'super_admin', { webhook: hook });
  ids.ben = await team.join('ben', 'admin', {
    additionalEmails: ['Ops@example.com', 'cleo@example.com', 'eve@example.com'],
  });
  ids.cleo = await team.join('cleo', 'member', { access: [one], webhook: hook });
  ids.dan = await team.join('dan', 'viewer', { webhook: hook });
  ids.eve = await team.join('eve', 'member', { access: [two] });
  ids.fay = await team.join('fay', 'member', {
    webhook: hook,
    email: { anomaly_alerts: false, budget_alerts: false },
    slack: { anomaly_alerts: false },
  });
});

describe("a notification about an owner's resource", () => {
  it('goes to the owner by email', async () => {
    expect(await team.notify({ owner: ids.ana }, fresh())).toEqual(['email ana@example.com']);
  });

  it("goes to the owner's webhook if the resource enables chat", async () => {
    const notified = await team.notify({ owner: ids.ana, slackOf: ids.ana }, fresh());
    expect(notified).toEqual(['email ana@example.com', `slack ${ids.ana}`]);
  });

  it('skips chat when the owner has no webhook', async () => {
    expect(
      await team.notify({ owner: ids.eve, slackOf: ids.eve, about: { accountIds: [team.accounts.two] } }, fresh()),
    ).toEqual(['email eve@example.com']);
  });

  it('skips channels that the owner turned off for its kind', async () => {
    const about = { accountIds: [team.accounts.one] };
    const of = { owner: ids.fay, slackOf: ids.fay, about };
    expect(await team.notify(of, fresh())).toEqual([`slack ${ids.fay}`]);
    expect(await team.notify(of, { ...fresh(), kind: 'anomaly_alert' })).toEqual([]);
    expect(await team.notify(of, { ...fresh(), kind: 'report' })).toEqual([
      'email fay@example.com',
      `slack ${ids.fay}`,
    ]);
  });

  it('skips owners who are no longer members', async () => {
    const gone = await team.join('gus', 'member', { webhook: hook });
    await at().deps.db.membership.deleteMany({ where: { userId: gone } });
    expect(await team.notify({ owner: gone, slackOf: gone }, fresh())).toEqual([]);
    expect(await at().deps.db.notificationPreferences.count({ where: { userId: gone } })).toBe(0);
  });

  it('skips owners without access to all its accounts', async () => {
    const of = { owner: ids.cleo, slackOf: ids.cleo };
    const { one, two } = team.accounts;
    expect(await team.notify({ ...of, about: { accountIds: null } }, fresh())).toEqual([]);
    expect(await team.notify({ ...of, about: { accountIds: [one, two] } }, fresh())).toEqual([]);
    expect(await team.notify({ ...of, about: { accountIds: [one] } }, fresh())).toEqual([
      'email cleo@example.com',
      `slack ${ids.cleo}`,
    ]);
  });
});

describe('notifications to addresses', () => {
  it('send one copy per address, case-insensitively', async () => {
    const addresses = ['ANA@example.com', 'boss@example.org', ' Boss@Example.org '];
    expect(await team.notify({ owner: ids.ana, addresses }, fresh())).toEqual([
      'email ana@example.com',
      'email boss@example.org',
    ]);
  });

  it('apply access and preferences of members who own an address', async () => {
    const addresses = ['cleo@example.com', 'eve@example.com', 'fay@example.com', 'boss@example.org'];
    const about = { accountIds: [team.accounts.one] };
    expect(await team.notify({ addresses, about }, fresh())).toEqual([
      'email boss@example.org',
      'email cleo@example.com',
    ]);
  });

  it("include the owner's additional addresses, but give no member more access", async () => {
    expect(await team.notify({ owner: ids.ben }, fresh())).toEqual(['email ben@example.com', 'email ops@example.com']);
    expect(await team.notify({ owner: ids.ben, about: { accountIds: [team.accounts.two] } }, fresh())).toEqual([
      'email ben@example.com',
      'email eve@example.com',
      'email ops@example.com',
    ]);
  });
});

describe('a notification to everyone', () => {
  it('goes to members who have access to the account and enabled its kind', async () => {
    const everyone = { accountId: team.accounts.one };
    const about = { accountIds: [team.accounts.one] };
    expect(await team.notify({ everyone, about }, { ...fresh(), kind: 'anomaly_alert' })).toEqual(
      [
        'email ana@example.com',
        'email ben@example.com',
        'email cleo@example.com',
        'email ops@example.com',
        `slack ${ids.ana}`,
        `slack ${ids.cleo}`,
      ].toSorted(),
    );
  });
});

describe('a repeated announcement', () => {
  it('notifies only new recipients', async () => {
    const subject = fresh();
    await team.notify({ owner: ids.ana }, subject);
    const before = at().jobs.length;
    expect(await team.notify({ owner: ids.ana, addresses: ['new@example.org'] }, subject)).toHaveLength(2);
    expect(at().jobs.slice(before)).toEqual([{ task: 'deliver_email', payload: expect.anything() }]);
  });

  it('is sent once under concurrent workers', async () => {
    const subject = fresh();
    const before = at().jobs.length;
    const addresses = ['a@example.org', 'b@example.org', 'c@example.org'];
    const notified = await Promise.all(
      Array.from({ length: 8 }, (_unused, index) =>
        team.notify({ owner: ids.ana, addresses: index % 2 ? addresses : addresses.toReversed() }, subject),
      ),
    );
    expect(notified[0]).toHaveLength(4);
    expect(at().jobs.length - before).toBe(4);
  });

  it('is rolled back with its transaction', async () => {
    const { deps } = at();
    const notified = { ...budgetAlert, ...fresh() };
    const recipients = { owner: ids.ana, addresses: [], slackOf: null, channelIds: [], about: { accountIds: null } };
    await expect(
      deps.db.$transaction(async (db) => {
        await announce(db, deps, team.organizationId, { announcement: notified, recipients });
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    expect(await deps.db.delivery.count({ where: { subjectKey: notified.subjectKey } })).toBe(0);
  });

  it('is independent in another organization', async () => {
    const subject = fresh();
    const other = await aTeamToNotify(at().deps);
    expect(await team.notify({ addresses: ['x@example.org'] }, subject)).toHaveLength(1);
    expect(await other.notify({ addresses: ['x@example.org'] }, subject)).toHaveLength(1);
    expect(await other.notify({ owner: ids.ana, slackOf: ids.ana }, fresh())).toEqual([]);
  });
});
