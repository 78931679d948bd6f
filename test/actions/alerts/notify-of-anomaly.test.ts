import { z } from 'zod';
import { beforeEach, describe, expect, it } from 'vitest';
import { announcementSchema } from '../../../src/actions/notifications/announcement.ts';
import { notifyOfAnomaly } from '../../../src/actions/alerts/notify-of-anomaly.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { aTeam, type Team } from '../../tenancy/team.ts';
import { keepAnomaly } from '../../analysis/anomalies/kept.ts';

const shape = z.object({ announcement: announcementSchema });
let team: Team;
beforeEach(async () => {
  team = await aTeam();
});

const keep = (given: Parameters<typeof keepAnomaly>[2] = {}) =>
  keepAnomaly(
    team.db,
    { organizationId: team.organizationId, accountId: team.accounts.one, now: team.deps.clock.now() },
    given,
  );

const notify = (id: string) => notifyOfAnomaly(team.deps, orgScope(team.organizationId, null), id);

const notified = async () =>
  (await team.db.delivery.findMany({ orderBy: { recipient: 'asc' } })).map(
    ({ recipient, channel, subjectKey, content }) => ({
      recipient,
      channel,
      subjectKey,
      content: shape.parse(content).announcement,
    }),
  );

describe('an anomaly alert', () => {
  it('is mailed once to each member with access to the account', async () => {
    await team.join('eve', 'admin', [team.accounts.two]);
    await team.join('fay', 'member', [team.accounts.one]);
    const id = await keep();
    await notify(id);
    await notify(id);
    const deliveries = await notified();
    expect(deliveries.map(({ recipient }) => recipient)).not.toContain('eve@example.com');
    expect(deliveries.map(({ recipient }) => recipient)).toEqual(
      expect.arrayContaining(['ana', 'ben', 'cleo', 'fay'].map((name) => `${name}@example.com`)),
    );
    expect(new Set(deliveries.map(({ recipient }) => recipient)).size).toBe(deliveries.length);
    expect(deliveries[0]).toMatchObject({
      subjectKey: `anomaly:${id}`,
      content: {
        kind: 'anomaly_alert',
        tone: 'critical',
        title: 'Amazon EC2 in one: $1,000.00 more than expected',
        lead: expect.stringMatching(/^Amazon EC2 cost \$1,234\.50 from November 11 to 13, 2026/),
        bars: [{ label: 'nat-prod', value: '$930.00', share: 0.93 }],
        action: { path: `/anomalies/${id}` },
      },
    });
    expect(deliveries[0]?.content.facts).toContainEqual({ label: 'Difference', value: '$1,000.00 (426%)' });
  });

  it('is sent again for a leak that goes on', async () => {
    const id = await keep({ kind: 'leak' });
    await notify(id);
    const count = (await notified()).length;
    await notify(id);
    expect(await notified()).toHaveLength(count);
    await team.db.anomaly.updateMany({ where: { id }, data: { endDate: new Date('2026-12-20') } });
    await notify(id);
    expect(await notified()).toHaveLength(2 * count);
  });

  it('says whether the cost is still too high', async () => {
    const id = await keep();
    const now = async (completeThrough: string) => {
      const data = { completeThrough: new Date(completeThrough) };
      await team.db.account.updateMany({ where: { id: team.accounts.one }, data });
      await team.db.delivery.deleteMany();
      await notify(id);
      return (await notified())[0]?.content.facts.find(({ label }) => label === 'Now')?.value;
    };
    expect(await now('2026-11-13')).toBe('Ongoing as of November 13, 2026, the last day with complete bills');
    expect(await now('2026-11-16')).toBe('Back to normal since November 14, 2026');
  });

  it.each(['acknowledged', 'resolved'] as const)('is not sent for an anomaly that is already %s', async (status) => {
    await notify(await keep({ status }));
    expect(await notified()).toEqual([]);
  });

  it("is not sent for a deleted anomaly, another organization's anomaly, or a deleted account", async () => {
    const id = await keep();
    await notifyOfAnomaly(team.deps, orgScope('01890000-0000-7000-8000-0000000000ff', null), id);
    await team.db.account.deleteMany({ where: { id: team.accounts.one } });
    await notify(id);
    await notify('01890000-0000-7000-8000-0000000000ff');
    expect(await notified()).toEqual([]);
  });

  it('uses the prose of a model if there is one', async () => {
    const prose = { summary: 'The model says so.', likelyCauses: ['A cause.'], nextSteps: ['A step.'] };
    await notify(await keep({ prose }));
    expect((await notified())[0]?.content).toMatchObject({
      lead: 'The model says so.',
      paragraphs: ['Possible cause: A cause.', 'Next: A step.'],
    });
  });
});
