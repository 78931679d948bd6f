import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { azureCases } from './cases.ts';

const { subject } = azureCases.azure_vm_stopped_allocated;
const withMetadata = (metadata: typeof subject.metadata) =>
  find('azure_vm_stopped_allocated', { subject: { ...subject, metadata } });

describe('azure_vm_stopped_allocated', () => {
  it('saves the cost of hours and license, not of traffic', () => {
    const usage = [
      ...subject.usage,
      aUsage({ meter: 'Reservation-Windows Svr (4 Core)', cost: '60' }),
      aUsage({ meter: 'Standard Data Transfer Out', unit: 'GB', cost: '500' }),
    ];
    // 30 and 60 in 30 days are 3 per day, 91.3125 per month.
    expect(find('azure_vm_stopped_allocated', { subject: { ...subject, usage } })?.saving).toBe(91.3125);
  });

  it('skips machines that run, are deallocated, or are not in the inventory', () => {
    expect(withMetadata({ state: 'running' })).toBeNull();
    expect(withMetadata({ state: 'deallocated' })).toBeNull();
    expect(withMetadata({})).toBeNull();
  });

  it('waits for 7 days if the stop time is known', () => {
    expect(withMetadata({ state: 'stopped', stateSince: '2026-11-13' })).toBeNull();
    expect(withMetadata({ state: 'stopped', stateSince: '2026-11-12' })?.saving).toBe(30.4375);
    expect(withMetadata({ state: 'stopped' })?.saving).toBe(30.4375);
  });
});
