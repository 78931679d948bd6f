import { describe, expect, it } from 'vitest';
import { can, type Permission } from '../../../src/tenancy/auth/permissions.ts';

/** The contract's table of roles: Super Admin, Admin, Member, Viewer. */
const table: Record<Permission, [boolean, boolean, boolean, boolean]> = {
  'organization.delete': [true, false, false, false],
  'organization.transfer': [true, false, false, false],
  'billing.write': [true, false, false, false],
  'organization.write': [true, true, false, false],
  'rates.write': [true, true, false, false],
  'members.write': [true, true, false, false],
  'audit.read': [true, true, false, false],
  'accounts.write': [true, true, false, false],
  'invoices.write': [true, true, false, false],
  'metrics.write': [true, true, false, false],
  'channels.write': [true, true, false, false],
  'alert_rules.write': [true, true, false, false],
  'tag_policies.write': [true, true, false, false],
  'virtual_tags.write': [true, true, false, false],
  'budgets.write': [true, true, true, false],
  'anomalies.write': [true, true, true, false],
  'recommendations.write': [true, true, true, false],
  'reports.write': [true, true, true, false],
  'annotations.write': [true, true, true, false],
  'views.share': [true, true, true, false],
  'views.write': [true, true, true, true],
  'notifications.write': [true, true, true, false],
  'self.write': [true, true, true, true],
};

describe('can', () => {
  it.each(Object.entries(table))('follows the contract for %s', (permission, expected) => {
    const roles = ['super_admin', 'admin', 'member', 'viewer'] as const;
    expect(roles.map((role) => can(role, permission as Permission))).toEqual(expected);
  });
});
