import { describe, expect, it } from 'vitest';
import { runInShell } from '../../shell.ts';
import { aUsage, find } from '../../subject.ts';
import { anAzure, azureCases } from './cases.ts';

describe('azure_ahb_windows', () => {
  const { subject } = azureCases.azure_ahb_windows;
  const withUsage = (...usage: Parameters<typeof aUsage>[0][]) =>
    find('azure_ahb_windows', { subject: { ...subject, usage: usage.map(aUsage) } });

  it('estimates at most the cost of the license', () => {
    expect(find('azure_ahb_windows', { subject })).toMatchObject({
      saving: 30.4375,
      method: 'upper_bound',
      confidence: 'low',
    });
  });

  it('saves 40% of the hours when the license is included in their price', () => {
    // 40 of 100 in 30 days are 40.583333 per month.
    const description = 'Virtual Machines Dv3/DSv3 Series Windows - D2 v3/D2s v3 - US East';
    expect(withUsage({ meter: 'D2 v3/D2s v3', description, cost: '100' })?.saving).toBe(40.583333);
  });

  it('skips Linux machines, and SQL Server licenses', () => {
    expect(withUsage({ meter: 'D2 v3/D2s v3', description: 'Virtual Machines Dv3/DSv3 Series - D2 v3' })).toBeNull();
    expect(withUsage({ meter: 'SQL Server Standard on Windows - 4 vCPU License' })).toBeNull();
  });

  it('skips a machine that already uses the benefit', () => {
    expect(
      find('azure_ahb_windows', { subject: { ...subject, metadata: { licenseType: 'Windows_Server' } } }),
    ).toBeNull();
    expect(find('azure_ahb_windows', { subject: { ...subject, metadata: { licenseType: null } } })).not.toBeNull();
  });
});

describe('azure_ahb_sql', () => {
  const { subject } = azureCases.azure_ahb_sql;

  it('estimates at most the cost of the license', () => {
    expect(find('azure_ahb_sql', { subject })).toMatchObject({
      saving: 30.4375,
      method: 'upper_bound',
      confidence: 'low',
    });
  });

  it('skips databases that already use the benefit, by inventory or by bill', () => {
    expect(find('azure_ahb_sql', { subject: { ...subject, metadata: { licenseType: 'AHUB' } } })).toBeNull();
    const description = 'SQL Managed Instance General Purpose - SQL License - Azure Hybrid Benefit - Standard Edition';
    expect(
      find('azure_ahb_sql', { subject: { ...subject, usage: [aUsage({ meter: 'vCore', description })] } }),
    ).toBeNull();
  });

  it('skips databases without a license meter, and Windows licenses', () => {
    const meters = ['General Purpose - Compute Gen5 - vCore', 'Reservation-Windows Svr (4 Core)'];
    for (const meter of meters)
      expect(find('azure_ahb_sql', { subject: { ...subject, usage: [aUsage({ meter })] } })).toBeNull();
  });

  it.each([
    ['microsoft.sql/managedinstances', ['az', 'sql', 'mi', 'update']],
    ['microsoft.sql/servers/s/databases', ['az', 'sql', 'db', 'update']],
    ['microsoft.compute/virtualmachines', ['az', 'sql', 'vm', 'update']],
    ['microsoft.sqlvirtualmachine/sqlvirtualmachines', ['az', 'sql', 'vm', 'update']],
  ])('sets the license type of %s', async (type, command) => {
    const usage = [{ meter: 'vCore', description: 'SQL Managed Instance General Purpose - SQL License' }];
    const { calls } = await runInShell(
      find('azure_ahb_sql', { subject: anAzure(type, 'x', { usage }) })?.scripts()[0]?.script ?? '',
    );
    expect(calls[0]?.slice(0, 4)).toEqual(command);
  });
});
