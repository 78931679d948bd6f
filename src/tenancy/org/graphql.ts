import { actorOf, viewerOf } from '../../graph/context.ts';
import { builder } from '../../graph/builder.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { clearRefreshCookie } from '../auth/cookie.ts';
import { deleteOrganization } from './delete.ts';
import { listExchangeRates, setExchangeRates } from './exchange-rates.ts';
import { readOrganization, updateOrganization } from './organization.ts';
import type { Billing, ExchangeRate, Organization } from './store.ts';

const BillingType = builder.objectRef<Billing>('Billing').implement({
  description: 'How the organization is billed for this service.',
  fields: (t) => ({
    email: t.exposeString('email', { nullable: true, description: 'Where bills for this service go, if anywhere.' }),
    plan: t.exposeString('plan', { description: 'The plan the organization is on.' }),
  }),
});

/** The organization, in whatever answer it stands. */
export const OrganizationType = builder.objectRef<Organization>('Organization').implement({
  description: 'A tenant: the company, or part of one, whose bills are kept together.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUIDv7 of the organization.' }),
    name: t.exposeString('name', { description: 'Its display name, 1 to 100 characters.' }),
    requireTwoFactor: t.exposeBoolean('requireTwoFactor', {
      description: 'Whether every member needs a second factor.',
    }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code that every cost answer is converted to.' }),
    memberCount: t.exposeInt('memberCount', { description: 'How many members it has.' }),
    accountCount: t.exposeInt('accountCount', {
      description: 'How many cloud accounts are connected, of those the caller may see.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was registered.' }),
    billing: t.field({
      type: BillingType,
      nullable: true,
      description: 'Billing settings, for the Super Admin; null for everybody else.',
      resolve: (organization) => organization.billing,
    }),
  }),
});

const ExchangeRateType = builder.objectRef<ExchangeRate>('ExchangeRate').implement({
  description: 'A monthly exchange rate: what one unit of a currency is in another, for the charges of that month.',
  fields: (t) => ({
    month: t.expose('month', { type: 'Month', description: 'The charge month it holds for.' }),
    from: t.exposeString('from', { description: 'ISO 4217 code of the currency that is converted.' }),
    to: t.exposeString('to', { description: 'ISO 4217 code of the currency it is converted to.' }),
    rate: t.expose('rate', { type: 'Decimal', description: 'Units of `to` for one unit of `from`.' }),
  }),
});

const ExchangeRates = builder.objectRef<ExchangeRate[]>('ExchangeRates').implement({
  description: 'The exchange rates of an organization. None is carried forward to a month that has none.',
  fields: (t) => ({
    rates: t.field({
      type: [ExchangeRateType],
      description: 'The rates, newest month first.',
      resolve: (rates) => rates,
    }),
  }),
});

const ExchangeRateInput = builder.inputType('ExchangeRateInput', {
  description: 'A monthly exchange rate to set or to take away.',
  fields: (t) => ({
    month: t.field({ type: 'Month', required: true, description: 'The charge month it holds for.' }),
    from: t.string({ required: true, description: 'ISO 4217 code of the currency that is converted.' }),
    to: t.string({
      required: true,
      description: 'ISO 4217 code of the currency it is converted to; not that of `from`.',
    }),
    rate: t.field({
      type: 'Decimal',
      description:
        'Units of `to` for one unit of `from`: above 0, kept with 12 digits on each side of the point. Null takes the rate away.',
    }),
  }),
});

builder.queryFields((t) => ({
  organization: t.field({
    type: OrganizationType,
    description: 'The organization that the caller is in.',
    authScopes: { signedIn: true },
    extensions: {
      rest: { method: 'GET', path: '/org', status: 200, tags: ['Organization'], category: 'read' } satisfies RestRoute,
    },
    resolve: (_root, _args, ctx) => readOrganization(ctx.deps, viewerOf(ctx)),
  }),
  exchangeRates: t.field({
    type: ExchangeRates,
    description: 'The monthly exchange rates by which costs in other currencies are converted to the organization’s.',
    authScopes: { signedIn: true },
    extensions: {
      rest: {
        method: 'GET',
        path: '/org/exchange-rates',
        status: 200,
        tags: ['Organization'],
        category: 'read',
      } satisfies RestRoute,
    },
    resolve: (_root, _args, ctx) => listExchangeRates(ctx.deps, viewerOf(ctx).scope),
  }),
}));

builder.mutationFields((t) => ({
  updateOrganization: t.field({
    type: OrganizationType,
    description:
      'Changes the settings that are named. For Admins; billing settings for the Super Admin alone. Who lacks a second factor ' +
      'that is required from now on can do nothing but set it up.',
    authScopes: { signedIn: true, can: 'organization.write' },
    args: {
      name: t.arg.string({ description: 'New display name, 1 to 100 characters on one line.' }),
      currency: t.arg.string({ description: 'ISO 4217 code, such as `EUR`, that costs are converted to from now on.' }),
      requireTwoFactor: t.arg.boolean({ description: 'Whether every member needs a second factor.' }),
      billingEmail: t.arg.string({
        description: 'Where bills for this service go; null for nowhere. For the Super Admin.',
      }),
    },
    extensions: {
      rest: {
        method: 'PATCH',
        path: '/org',
        status: 200,
        tags: ['Organization'],
        category: 'write',
      } satisfies RestRoute,
    },
    resolve: (_root, args, ctx) => updateOrganization(ctx.deps, viewerOf(ctx), actorOf(ctx), args),
  }),
  deleteOrganization: t.boolean({
    description:
      'Deletes the organization for good: members, settings, accounts with their credentials, every figure and the audit log. ' +
      'Its users stay. For the Super Admin, with the password again, and not for API tokens.',
    authScopes: { signedIn: true, interactive: true, can: 'organization.delete' },
    args: { password: t.arg.string({ required: true, description: 'The caller’s password.' }) },
    extensions: {
      rest: {
        method: 'DELETE',
        path: '/org',
        status: 204,
        tags: ['Organization'],
        category: 'write',
        takesBody: true,
        errors: ['ACCOUNT_LOCKED'],
      } satisfies RestRoute,
    },
    async resolve(_root, { password }, ctx) {
      await deleteOrganization(ctx.deps, viewerOf(ctx), actorOf(ctx), password);
      if (ctx.res) clearRefreshCookie(ctx.res, ctx.deps.config.publicUrl);
      return true;
    },
  }),
  setExchangeRates: t.field({
    type: ExchangeRates,
    description:
      'Sets the exchange rates that are named and takes away those whose rate is null; the others stay as they are. All or ' +
      'none of it is done. Cost answers follow at once. For Admins.',
    authScopes: { signedIn: true, can: 'rates.write' },
    args: {
      rates: t.arg({
        type: [ExchangeRateInput],
        required: true,
        description: 'At most 1000 rates; a month and pair of currencies is named once.',
      }),
    },
    extensions: {
      rest: {
        method: 'PUT',
        path: '/org/exchange-rates',
        status: 200,
        tags: ['Organization'],
        category: 'write',
      } satisfies RestRoute,
    },
    resolve: (_root, { rates }, ctx) => setExchangeRates(ctx.deps, viewerOf(ctx).scope, actorOf(ctx), rates),
  }),
}));
