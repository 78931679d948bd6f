import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { azureCases } from './cases.ts';

const { subject } = azureCases.azure_nonprod_schedule;
const withUsage = (usage: Parameters<typeof aUsage>[0]) =>
  find('azure_nonprod_schedule', {
    subject: { ...subject, usage: [aUsage({ meter: 'D4s v5', cost: '150', ...usage })] },
  });

describe('azure_nonprod_schedule', () => {
  it('saves 70% of the cost of the hours', () => {
    // 70% of 150 in 30 days: 105, 106.53125 per month.
    expect(find('azure_nonprod_schedule', { subject })).toMatchObject({ saving: 106.53125, method: 'factor' });
  });

  it('skips production, and machines without an environment tag', () => {
    expect(find('azure_nonprod_schedule', { subject: { ...subject, tags: { env: 'prod' } } })).toBeNull();
    expect(find('azure_nonprod_schedule', { subject: { ...subject, tags: {} } })).toBeNull();
  });

  it('skips machines that are off on weekends, including several under one id with many hours', () => {
    expect(withUsage({ quantity: '720', weekendQuantity: '0' })).toBeNull();
    expect(withUsage({ quantity: '1936', weekendQuantity: '0', days: 22 })).toBeNull();
  });

  it('treats 160 hours per week as always on', () => {
    // 8 of the window's 30 days are on weekends; 160 hours per week are 685.71 in 30 days.
    expect(withUsage({ quantity: '685', weekendQuantity: '184' })).toBeNull();
    expect(withUsage({ quantity: '686', weekendQuantity: '184' })).not.toBeNull();
    // 95% of the weekend's share: 686 × 8 / 30 × 0.95 = 173.79.
    expect(withUsage({ quantity: '686', weekendQuantity: '173' })).toBeNull();
    expect(withUsage({ quantity: '686', weekendQuantity: '174' })).not.toBeNull();
  });

  it('skips machines covered by a reservation', () => {
    expect(withUsage({ quantity: '720', weekendQuantity: '192', kind: 'reserved' })).toBeNull();
  });

  it('schedules a shutdown in the evening by command or Terraform, with names quoted', () => {
    const hostile = { ...subject, region: '"\n${file("/etc/passwd")}' };
    const [command, terraform] = find('azure_nonprod_schedule', { subject: hostile })?.scripts() ?? [];
    expect(command?.script).toBe(`az vm auto-shutdown --ids='${subject.nativeId}' --time=1900`);
    expect(terraform?.kind).toBe('terraform');
    expect(terraform?.script).toContain(`  virtual_machine_id    = "${subject.nativeId}"\n`);
    expect(terraform?.script).toContain('  location              = "\\"\\n$${file(\\"/etc/passwd\\")}"\n');
  });
});
