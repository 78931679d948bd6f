import fc from 'fast-check';
import type { Role } from '../../../prisma/generated/client/enums.ts';
import type { ChargeCategory } from '../../../src/facts/costs/question.ts';
import { newId } from '../../../src/kit/ids.ts';
import { addDays, monthOf } from '../../../src/kit/time/period.ts';
import type { LineItem } from '../../support/cube.ts';
import { invoiceId } from '../../support/invoices.ts';

/** The current time: the bills are from the months before. */
export const now = new Date('2024-05-11T12:00:00.000Z');

/** Accounts by their index in the organization; null for all. */
type Access = readonly number[] | null;

/** An organization before it is built. */
export interface Plan {
  readonly id: string;
  readonly accounts: readonly PlannedAccount[];
  /** The caller's accounts, by index. */
  readonly scope: readonly number[];
  readonly role: Role;
  readonly members: readonly { readonly id: string; readonly role: Role; readonly access: Access }[];
  /** Tag policies, of an account by index, or of all accounts. */
  readonly policies: readonly { readonly id: string; readonly account: number | null; readonly enabled: boolean }[];
  readonly invites: readonly { readonly id: string; readonly access: Access }[];
  /** Actions of the Super Admin before the caller's requests. */
  readonly acts: readonly Act[];
}

export interface PlannedAccount {
  readonly id: string;
  readonly status: 'connected' | 'disconnected';
  readonly sync: 'succeeded' | 'failed' | null;
  /** Index of the member who connected it. */
  readonly maker: number;
  readonly lines: readonly LineItem[];
}

/** An action through the API. */
export type Act =
  | { readonly kind: 'access'; readonly member: number; readonly access: Access }
  | { readonly kind: 'role'; readonly member: number; readonly role: Role }
  | { readonly kind: 'remove'; readonly member: number }
  | { readonly kind: 'invite'; readonly access: Access }
  | { readonly kind: 'export'; readonly account: number }
  | { readonly kind: 'rename'; readonly account: number }
  | { readonly kind: 'disconnect'; readonly account: number; readonly purge: boolean };

/** Values of charges, filters and groupings: few, so that accounts share them. */
export const words = {
  provider: ['aws', 'azure'],
  service: ['Compute', 'Storage', 'Queue'],
  region: ['us-east-1', 'westeurope'],
  subAccount: ['111', '222'],
  tagKey: ['team', 'stage'],
  tagValue: ['red', 'blue'],
  currency: ['USD', 'USD', 'EUR', 'JPY'],
  resource: ['vm-1', 'vm-2'],
  meter: ['Hours', 'GB'],
} as const;

const categories: readonly ChargeCategory[] = ['usage', 'usage', 'purchase', 'tax', 'credit', 'adjustment'];
const firstDay = '2024-03-20';
const roles: readonly Role[] = ['viewer', 'member', 'admin'];

const anId = fc.uuid({ version: 7 }).map(() => newId(now));
const amount = fc.bigInt({ min: -5n * 10n ** 12n, max: 10n ** 14n });

const aLine = fc.record({
  date: fc.nat({ max: 52 }).map((days) => addDays(firstDay, days)),
  provider: fc.constantFrom(...words.provider),
  currency: fc.constantFrom(...words.currency),
  category: fc.constantFrom(...categories),
  service: fc.constantFrom(...words.service),
  region: fc.constantFrom(...words.region),
  subAccount: fc.constantFrom(...words.subAccount),
  tags: fc.dictionary(fc.constantFrom(...words.tagKey), fc.constantFrom(...words.tagValue), { maxKeys: 2 }),
  resource: fc.option(fc.constantFrom(...words.resource)),
  meter: fc.constantFrom(...words.meter),
  billed: amount,
  effective: amount,
  list: amount,
  contracted: amount,
});

const anAccount: fc.Arbitrary<PlannedAccount> = fc
  .record({
    id: anId,
    status: fc.constantFrom('connected', 'connected', 'disconnected'),
    sync: fc.constantFrom('succeeded', 'failed', null),
    maker: fc.nat({ max: 2 }),
    lines: fc.array(aLine, { maxLength: 12 }),
  } as const)
  .map(({ lines, ...account }) => ({
    ...account,
    lines: lines.map((line) => ({
      ...line,
      account: account.id,
      billingPeriod: monthOf(line.date),
      serviceCategory: `Category of ${line.service}`,
    })),
  }));

/** Any organization with one to four accounts, with a caller who has access to any, none or all of them. */
export const aPlan: fc.Arbitrary<Plan> = fc.integer({ min: 1, max: 4 }).chain((count) => {
  const some = fc.subarray(Array.from({ length: count }, (_, index) => index));
  const access = fc.option(some, { freq: 4 });
  const account = fc.nat({ max: count - 1 });
  const member = fc.nat({ max: 2 });
  return fc.record({
    id: anId,
    accounts: fc.array(anAccount, { minLength: count, maxLength: count }),
    scope: some,
    role: fc.constantFrom(...roles, 'admin' as const, 'admin' as const),
    members: fc.array(fc.record({ id: anId, role: fc.constantFrom(...roles), access }), { minLength: 3, maxLength: 3 }),
    policies: fc.array(fc.record({ id: anId, account: fc.option(account), enabled: fc.boolean() }), { maxLength: 3 }),
    invites: fc.array(fc.record({ id: anId, access }), { maxLength: 2 }),
    acts: fc.array(
      fc.oneof<fc.Arbitrary<Act>[]>(
        fc.record({ kind: fc.constant('access'), member, access }),
        fc.record({ kind: fc.constant('role'), member, role: fc.constantFrom(...roles) }),
        fc.record({ kind: fc.constant('remove'), member }),
        fc.record({ kind: fc.constant('invite'), access }),
        fc.record({ kind: fc.constant('export'), account }),
        fc.record({ kind: fc.constant('rename'), account }),
        fc.record({ kind: fc.constant('disconnect'), account, purge: fc.boolean() }),
      ),
      { maxLength: 6, size: 'max' },
    ),
  });
});

/** Whether an account is in the caller's scope. */
export function isSeen(plan: Plan, account: number): boolean {
  return plan.scope.includes(account);
}

/** The ids of accounts, limited to those that exist in a world. */
export function idsOf(plan: Plan, access: Access, exists: (account: number) => boolean): string[] | null {
  return access && access.filter(exists).flatMap((index) => plan.accounts[index]?.id ?? []);
}

/** The id of an account's n-th resource. */
function resourceId(accountId: string, at: number): string {
  return accountId.replace(/.{4}$/, `e${String(at).padStart(3, '0')}`);
}

/** The ids of the first two resources that each account may have. */
export function resourceIds(plan: Plan): string[] {
  return plan.accounts.flatMap(({ id }) => [resourceId(id, 0), resourceId(id, 1)]);
}

/** The ids of an account's anomalies. */
export function anomalyIds({ id }: Pick<PlannedAccount, 'id'>): string[] {
  return ['d000', 'd001'].map((end) => id.replace(/.{4}$/, end));
}

/** The id of the file uploaded to an account. */
export function fileId({ id }: Pick<PlannedAccount, 'id'>): string {
  return id.replace(/.{4}$/, 'f000');
}

/** The ids of an account's invoices: its lines have no number. */
export function invoiceIds({ id, lines }: PlannedAccount): string[] {
  return [
    ...new Set(lines.map(({ billingPeriod, currency }) => invoiceId(id, `${billingPeriod}-01`, '', '', currency))),
  ];
}

/** The ids of the budget and the alert rule of an account, or of the organization. */
export function evaluatedIds({ id }: { readonly id: string }): { budget: string; rule: string } {
  return { budget: id.replace(/.{4}$/, 'b000'), rule: id.replace(/.{4}$/, 'a000') };
}

/** The id of the report of an account, or of the organization. */
export function reportId({ id }: { readonly id: string }): string {
  return id.replace(/.{4}$/, '9000');
}

/** The id of the report schedule of an account, or of the organization. */
export function scheduleId({ id }: { readonly id: string }): string {
  return id.replace(/.{4}$/, '8000');
}

/** The id of the organization's unit metric. */
export function metricId({ id }: Pick<Plan, 'id'>): string {
  return id.replace(/.{4}$/, '7000');
}

/** The ids of the saved view and the dashboard of an account, or of the organization. */
export function viewIds({ id }: { readonly id: string }): { view: string; dashboard: string } {
  return { view: id.replace(/.{4}$/, '6000'), dashboard: id.replace(/.{4}$/, '5000') };
}

/** The id of the annotation of an account, or of the organization. */
export function annotationId({ id }: { readonly id: string }): string {
  return id.replace(/.{4}$/, '3000');
}

/** The id of the organization's channel. */
export function channelId({ id }: Pick<Plan, 'id'>): string {
  return id.replace(/.{4}$/, '4000');
}

/** The ids of an account's recommendations. */
export function recommendationIds({ id }: Pick<PlannedAccount, 'id'>): string[] {
  return ['f000', 'f001', 'f002'].map((end) => id.replace(/.{4}$/, end));
}
