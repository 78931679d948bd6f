import { describe, expect, it } from 'vitest';
import { runInShell } from '../shell.ts';
import { aUsage, find } from '../subject.ts';
import { anyCases } from './commitment-cases.ts';

const reservation = anyCases.reservation_unused.subject;
const plan = anyCases.savings_plan_unused.subject;

describe('reservation_unused', () => {
  it('sums the unused cost', () => {
    // 15 in 30 days are 0.5 per day, 15.21875 per month.
    const evidence = {
      commitment_type: 'Reserved Instance',
      days_with_unused: 20,
      days_in_window: 30,
      ends_at: '2027-03-01',
    };
    expect(find('reservation_unused', { subject: reservation })).toMatchObject({
      saving: 15.21875,
      method: 'upper_bound',
      evidence,
    });
    const usage = [
      ...reservation.usage,
      aUsage({ meter: 'HeavyUsage:m5.xlarge', kind: 'unused_reservation', cost: '15' }),
    ];
    expect(find('reservation_unused', { subject: { ...reservation, usage } })?.saving).toBe(30.4375);
  });

  it('skips expired reservations', () => {
    const ending = (endsAt: string) =>
      find('reservation_unused', { subject: { ...reservation, metadata: { endsAt } } });
    expect(ending('2026-11-19')).not.toBeNull();
    expect(ending('2026-11-18T23:59:59Z')).toBeNull();
  });

  it('skips savings plans, which have their own detector', () => {
    expect(find('reservation_unused', { subject: plan })).toBeNull();
    expect(find('savings_plan_unused', { subject: reservation })).toBeNull();
  });

  it('widens the scope of an Azure reservation, addressed by the ids in its path', async () => {
    const nativeId = '/providers/microsoft.capacity/reservationorders/o-1/reservations/r-1';
    const azure = { ...reservation, provider: 'azure', nativeId };
    const finding = find('reservation_unused', { subject: azure });
    expect(finding?.description).toContain('scope to shared');
    expect((await runInShell(finding?.scripts()[0]?.script ?? '')).calls).toEqual([
      [
        'az',
        'reservations',
        'reservation',
        'update',
        '--reservation-order-id=o-1',
        '--reservation-id=r-1',
        '--applied-scope-type=Shared',
      ],
    ]);
  });
});

describe('savings_plan_unused', () => {
  it('sums the unused cost', () => {
    // 60 in 30 days are 2 per day, 60.875 per month.
    expect(find('savings_plan_unused', { subject: plan })).toMatchObject({ saving: 60.875, confidence: 'medium' });
  });

  it('has advice for unknown providers', () => {
    expect(find('savings_plan_unused', { subject: { ...plan, provider: 'oracle' } })?.description).toContain(
      'purchased again',
    );
  });
});
