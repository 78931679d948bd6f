import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { azureCases } from './cases.ts';

const { subject } = azureCases.azure_public_ip_orphan;

describe('azure_public_ip_orphan', () => {
  it('saves the full cost of the address', () => {
    // 3 in 30 days are 0.1 per day, 3.04375 per month.
    expect(find('azure_public_ip_orphan', { subject })).toMatchObject({ saving: 3.04375, confidence: 'high' });
  });

  it('skips an address that is in use or not in the inventory', () => {
    expect(find('azure_public_ip_orphan', { subject: { ...subject, metadata: { attachedTo: 'nic-1' } } })).toBeNull();
    expect(find('azure_public_ip_orphan', { subject: { ...subject, metadata: {} } })).toBeNull();
  });

  it('counts only address meters', () => {
    const usage = [...subject.usage, aUsage({ meter: 'Standard Data Processed', cost: '300' })];
    expect(find('azure_public_ip_orphan', { subject: { ...subject, usage } })?.saving).toBe(3.04375);
    expect(find('azure_public_ip_orphan', { subject: { ...subject, usage: usage.slice(1) } })).toBeNull();
  });
});
