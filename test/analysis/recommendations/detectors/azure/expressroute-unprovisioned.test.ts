import { describe, expect, it } from 'vitest';
import { find } from '../../subject.ts';
import { azureCases } from './cases.ts';

const { subject } = azureCases.azure_expressroute_unprovisioned;

describe('azure_expressroute_unprovisioned', () => {
  it('saves the full cost of the circuit', () => {
    // 30 in 30 days are 1 per day, 30.4375 per month.
    expect(find('azure_expressroute_unprovisioned', { subject })?.saving).toBe(30.4375);
  });

  it.each(['Provisioned', 'Provisioning', 'Deprovisioning', undefined])('skips a circuit that is %s', (state) => {
    const metadata = { provisioningState: state };
    expect(find('azure_expressroute_unprovisioned', { subject: { ...subject, metadata } })).toBeNull();
  });
});
