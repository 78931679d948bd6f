import { describe, expect, it } from 'vitest';
import { currentSizeOf } from '../../../../../src/analysis/recommendations/detectors/azure/compute.ts';
import { runInShell } from '../../shell.ts';
import { aContext, aUsage, find } from '../../subject.ts';
import { azureCases } from './cases.ts';

const { subject } = azureCases.azure_vm_previous_gen;
const market = { provider: 'azure', region: 'westeurope' };

describe('azure_vm_previous_gen', () => {
  it("saves the difference to the account's price for the current size", () => {
    // D3 v2: 720 hours at 0.25. D4ads v5: 0.20. 0.05 × 720 = 36 in 30 days, 36.525 per month.
    const found = find('azure_vm_previous_gen', { subject, context: aContext({ 'D4ads v5': '0.20' }, market) });
    expect(found).toMatchObject({
      saving: 36.525,
      method: 'observed',
      title: 'Move file-server from D3 v2 to D4ads v5',
    });
  });

  it('derives the price from another size of the series, by cores', () => {
    // D4ads v5 costs half of a D8ads v5: 0.21. 0.04 × 720 = 28.8, 29.22 per month.
    expect(find('azure_vm_previous_gen', { subject, context: aContext({ 'D8ads v5': '0.42' }, market) })?.saving).toBe(
      29.22,
    );
  });

  it('saves 9% when the account pays for no current size in the region', () => {
    // 9% of 180 in 30 days: 16.20, 16.43625 per month.
    const context = aContext({ 'D4ads v5': '0.20' }, { ...market, region: 'northeurope' });
    expect(find('azure_vm_previous_gen', { subject, context })).toMatchObject({ saving: 16.43625, method: 'factor' });
  });

  it('finds nothing when the current size costs the same', () => {
    expect(find('azure_vm_previous_gen', { subject, context: aContext({ 'D4ads v5': '0.25' }, market) })).toBeNull();
    expect(
      find('azure_vm_previous_gen', { subject, context: aContext({ 'D4ads v5': '0.2499' }, market) }),
    ).not.toBeNull();
  });

  it('skips Windows, spot and reserved machines', () => {
    const withUsage = (usage: Parameters<typeof aUsage>[0]) =>
      find('azure_vm_previous_gen', { subject: { ...subject, usage: [aUsage({ meter: 'D3 v2/DS3 v2', ...usage })] } });
    expect(withUsage({ description: 'Virtual Machines Dv2 Series Windows - D3 v2/DS3 v2 - EU West' })).toBeNull();
    expect(withUsage({ kind: 'spot' })).toBeNull();
    expect(withUsage({ kind: 'reserved' })).toBeNull();
    expect(withUsage({})).not.toBeNull();
  });

  it('stops, resizes and starts the machine', async () => {
    const { calls } = await runInShell(find('azure_vm_previous_gen', { subject })?.scripts()[0]?.script ?? '');
    expect(calls.map((call) => call[2])).toEqual(['deallocate', 'resize', 'start']);
    expect(calls[1]).toContain('--size=Standard_D4ads_v5');
  });
});

describe('currentSizeOf', () => {
  it.each([
    ['D2 v2', 'D', 2],
    ['D2 v2/DS2 v2', 'D', 2],
    ['D5 v2', 'D', 16],
    ['D14 v2/DS14 v2', 'E', 16],
    ['Virtual Machines Dv2/DSv2 Series - D11 v2/DS11 v2 - US East 2', 'E', 2],
  ] as const)('replaces %s with a size of series %s with %i cores', (meter, letter, cores) => {
    expect(currentSizeOf(meter)).toMatchObject({ letter, cores });
  });

  it.each(['D1 v2', 'D2 v3/D2s v3', 'D4s v5', 'F2s v2', 'A2 v2', 'B2s', 'D15i v2'])('skips %s', (meter) => {
    expect(currentSizeOf(meter)).toBeNull();
  });
});
