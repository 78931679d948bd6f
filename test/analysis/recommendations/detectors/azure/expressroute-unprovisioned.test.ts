import { describe, expect, it } from 'vitest';
import { find } from '../../subject.ts';
import { azureCases } from './cases.ts';

const { subject } = azureCases.azure_expressroute_unprovisioned;

describe('azure_expressroute_unprovisioned', () => {
  it('saves all that the circuit costs', () => {
    // 30 in 30 days are 1 a day, 30.4375 in a month.
    expect(find('azure_expressroute_unprovisioned', { subject })?.saving).toBe(30.4375);
  });

  it.each(['Provisioned', 'Provisioning', 'Deprovisioning', undefined])('leaves a circuit that is %s', (state) => {
    const metadata = { provisioningState: state };
    expect(find('azure_expressroute_unprovisioned', { subject: { ...subject, metadata } })).toBeNull();
  });
});
