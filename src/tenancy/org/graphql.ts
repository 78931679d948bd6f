import { createContextCache } from '@pothos/core';
import { currencyRule, deleteOrganization, monthRule, updateOrganization } from './organization.ts';
import { triedPasswordRule } from '../login/password.ts';
import { emailRule, nameRule } from '../login/input.ts';
import {
  answerType,
  columns,
  decimal,
  exposed,
  flag,
  from,
  instant,
  int,
  month,
  of,
  orNull,
  text,
  uuid,
} from '../../graph/answers.ts';
import { isAutomatic } from '../../kit/config/exchange-rates.ts';
import { bounded, present, unclearable } from '../../graph/bounded.ts';
import { actorOf, viewerOf, type Context } from '../../graph/context.ts';
import { builder } from '../../graph/builder.ts';
import { wordEnum } from '../../graph/stored-words.ts';
import { guardedRoute, readRoute, writeRoute } from '../../graph/rest.ts';
import { clearRefreshCookie } from '../sessions/cookie.ts';
import { can } from '../auth/permissions.ts';
import type { Viewer } from '../auth/scope.ts';
import { setExchangeRates, rateRule, ratesRule } from './exchange-rates.ts';
import {
  countConnectedAccounts,
  hasAccounts,
  listExchangeRates,
  selectOrganization,
  type ExchangeRate,
  type OrganizationSelection,
} from './store.ts';

const BillingType = answerType('Billing', 'Billing settings for this service.', {
  email: orNull(text('Email address for invoices of this service; null if none.', bounded({ format: 'email' }))),
  plan: text('Plan of the organization.'),
});

/** The caller in each organization that a request shows: the one of its token, and one that it logs in to. */
const viewersOf = createContextCache<Map<string, Viewer>, Context>(() => new Map());

/** Reads the organization of a viewer, for a `prismaField`; its fields are limited to what this viewer may see. */
export function organizationOf(viewer: Viewer, query: OrganizationSelection, ctx: Context) {
  viewersOf(ctx).set(viewer.scope.organizationId, viewer);
  return selectOrganization(ctx.deps.db, viewer.scope, query);
}

function viewerIn(organizationId: string, ctx: Context): Viewer {
  return viewersOf(ctx).get(organizationId) ?? viewerOf(ctx);
}

/** The GraphQL type of an organization. */
export const OrganizationType = builder.prismaObject('Organization', {
  select: { id: true },
  findUnique: ({ id }) => ({ id }),
  description: 'A tenant: a company or department with its own accounts and members.',
  fields: (t) =>
    columns(t, 'Organization', {
      id: uuid('UUIDv7 of the organization.'),
      name: text('Display name, 1 to 100 characters.'),
      requireTwoFactor: flag('Whether every member needs a second factor.'),
      ownerTagKey: orNull(text('Tag key that names the owner of a resource; null if none was chosen.')),
      fiscalYearStartMonth: int('First month of the fiscal year, 1 (January) to 12.'),
      currency: text(
        'ISO 4217 code of the currency that costs are converted to: that of the first bill, unless it was set.',
      ),
      memberCount: t.relationCount('memberships', { description: 'Number of members.' }),
      accountCount: t.int({
        description: 'Number of connected cloud accounts in the caller’s scope.',
        resolve: ({ id }, _args, ctx) => countConnectedAccounts(ctx.deps.db, viewerIn(id, ctx).scope),
      }),
      costsLoaded: t.boolean({
        description: 'Whether bills of accounts in the caller’s scope are loaded.',
        resolve: ({ id }, _args, ctx) => hasAccounts(ctx.deps.db, viewerIn(id, ctx).scope, { dataTo: { not: null } }),
      }),
      sampleData: t.boolean({
        description: 'Whether accounts in the caller’s scope have sample data.',
        resolve: ({ id }, _args, ctx) => hasAccounts(ctx.deps.db, viewerIn(id, ctx).scope, { sampleOf: { not: null } }),
      }),
      automaticExchangeRates: t.boolean({
        description:
          'Whether the server downloads monthly exchange rates of the European Central Bank daily, for the currencies of bills.',
        select: { automaticExchangeRates: true },
        resolve: (row, _args, ctx) => isAutomatic(ctx.deps.config.exchangeRates, row.automaticExchangeRates),
      }),
      mailConfigured: t.boolean({
        description:
          'Whether the server sends emails (`SMTP_URL`). Otherwise it saves them in its data folder, and Admins pass on the links of invitations.',
        resolve: (_row, _args, ctx) => ctx.deps.config.smtpUrl !== null,
      }),
      createdAt: instant('Registration time.'),
      billing: t.field({
        type: BillingType,
        nullable: true,
        description: 'Billing settings; null unless the caller is the Super Admin.',
        select: { billingEmail: true, billingPlan: true },
        resolve: ({ id, billingEmail: email, billingPlan: plan }, _args, ctx) =>
          can(viewerIn(id, ctx).role, 'billing.write') ? { email, plan } : null,
      }),
    }),
});

const RateSourceEnum = wordEnum('ExchangeRateSource', 'Origin of an exchange rate.', {
  typed: 'Set by an Admin. Takes precedence over a downloaded rate of the same month.',
  ecb: 'Downloaded: the average of the European Central Bank’s daily reference rates of the month.',
});

const ExchangeRateType = builder.objectRef<ExchangeRate>('ExchangeRate').implement({
  description: 'An exchange rate for the charges of one month.',
  fields: (t) =>
    exposed(t, {
      month: month('Charge month of the rate.'),
      from: text('ISO 4217 code of the source currency.'),
      to: text('ISO 4217 code of the target currency.'),
      rate: decimal('Units of `to` for one unit of `from`.'),
      source: of(RateSourceEnum, 'Origin of the rate.'),
      provisional: from(
        'isProvisional',
        flag('Whether it is the average of a month that has not ended: it still changes.'),
      ),
    }),
});

const ExchangeRates = builder.objectRef<ExchangeRate[]>('ExchangeRates').implement({
  description:
    'Exchange rates of the organization. A rate also applies to later months until the next one; costs converted at it in those months are provisional.',
  fields: (t) => ({
    rates: t.field({
      type: [ExchangeRateType],
      description: 'The rates, newest month first.',
      resolve: (rates) => rates,
    }),
    downloadHost: t.string({
      nullable: true,
      description:
        'Host that rates are downloaded from if `automaticExchangeRates` of the organization is on; null if the operator forbids it.',
      resolve: (_rates, _args, ctx) => {
        const { url } = ctx.deps.config.exchangeRates;
        return url === null ? null : new URL(url).host;
      },
    }),
  }),
});

const ExchangeRateInput = builder.inputType('ExchangeRateInput', {
  description: 'An exchange rate to set or remove.',
  fields: (t) => ({
    month: t.field({ type: 'Month', required: true, description: 'Charge month of the rate.' }),
    from: t.string({ ...bounded(currencyRule), required: true, description: 'ISO 4217 code of the source currency.' }),
    to: t.string({
      ...bounded(currencyRule),
      required: true,
      description: 'ISO 4217 code of the target currency; must differ from `from`.',
    }),
    rate: t.field({
      ...present(rateRule),
      type: 'Decimal',
      description:
        'Units of `to` for one unit of `from`: above 0, with up to 12 digits on each side of the decimal point. Null removes the rate.',
    }),
    ifRate: t.field({
      ...bounded(rateRule),
      type: 'Decimal',
      description:
        'The `rate` of the month that you have read, null for none: if it has changed since, the update fails with `CONFLICT`.',
    }),
  }),
});

builder.queryFields((t) => ({
  organization: t.prismaField({
    type: OrganizationType,
    description: 'Returns the caller’s organization.',
    ...readRoute('Organization', '/org'),
    resolve: (query, _root, _args, ctx) => organizationOf(viewerOf(ctx), query, ctx),
  }),
  exchangeRates: t.field({
    type: ExchangeRates,
    description:
      'Lists the monthly exchange rates to the organization’s currency. Callers with access to some accounts see the rates of these accounts’ currencies.',
    ...readRoute('Organization', '/org/exchange-rates', { csv: 'rates' }),
    resolve: (_root, _args, ctx) => listExchangeRates(ctx.deps, viewerOf(ctx).scope),
  }),
}));

const UpdateOrganizationInput = builder.inputType('UpdateOrganizationInput', {
  description: 'Changes to organization settings: omitted fields stay unchanged.',
  fields: (t) => ({
    name: t.string({ ...unclearable(nameRule), description: 'New display name, 1 to 100 characters on one line.' }),
    currency: t.string({
      ...unclearable(currencyRule),
      description: 'ISO 4217 code, such as `EUR`, of the currency that costs are converted to.',
    }),
    requireTwoFactor: t.boolean({ ...unclearable(), description: 'Whether every member needs a second factor.' }),
    ownerTagKey: t.string({
      ...bounded({ minLength: 1, maxLength: 256 }),
      description: 'Tag key that names the owner of a resource, such as `team`; null for none.',
    }),
    fiscalYearStartMonth: t.int({
      ...unclearable(monthRule),
      description:
        'First month of the fiscal year, 1 (January) to 12. Fiscal years are named after the year they end in.',
    }),
    automaticExchangeRates: t.boolean({
      ...unclearable(),
      description:
        'Whether the server downloads monthly exchange rates daily. If turned on, the first download starts at once.',
    }),
    billingEmail: t.string({
      ...bounded(emailRule),
      description: 'Email address for invoices of this service; null removes it. For the Super Admin.',
    }),
  }),
});

builder.mutationFields((t) => ({
  updateOrganization: t.prismaField({
    type: OrganizationType,
    description:
      'Updates the organization. Billing settings are for the Super Admin. Once a second factor is required, members without one must set it up before anything else. For Admins with access to all accounts.',
    args: { input: t.arg({ type: UpdateOrganizationInput, required: true, description: 'Fields to change.' }) },
    ...writeRoute('Organization', 'organization.write', { method: 'PATCH', path: '/org' }),
    async resolve(query, _root, { input }, ctx) {
      await updateOrganization(ctx.deps, viewerOf(ctx), actorOf(ctx), input);
      return organizationOf(viewerOf(ctx), query, ctx);
    },
  }),
  deleteOrganization: t.boolean({
    description:
      'Deletes the organization permanently. Deletes its members, settings, accounts, credentials, cost data and audit log; the users are kept. For the Super Admin; requires the password. Not for API tokens.',
    args: {
      password: t.arg.string({ ...bounded(triedPasswordRule), required: true, description: 'The caller’s password.' }),
    },
    ...guardedRoute(
      'Organization',
      { signedIn: true, interactive: true, can: 'organization.delete' as const },
      {
        method: 'DELETE',
        path: '/org',
        takesBody: true,
        errors: ['ACCOUNT_LOCKED'],
      },
    ),
    async resolve(_root, { password }, ctx) {
      await deleteOrganization(ctx.deps, viewerOf(ctx), actorOf(ctx), password);
      if (ctx.res) clearRefreshCookie(ctx.res, ctx.deps.config.publicUrl);
      return true;
    },
  }),
  setExchangeRates: t.field({
    type: ExchangeRates,
    description:
      'Sets or removes exchange rates. A null rate removes the rate; rates that are not listed stay unchanged. Either all changes are applied or none; costs use them immediately. For Admins; those with access to some accounts change rates between these accounts’ currencies and the organization’s.',
    args: {
      rates: t.arg({
        ...bounded(ratesRule),
        type: [ExchangeRateInput],
        required: true,
        description: 'At most 1000 rates; each month and pair of currencies at most once.',
      }),
    },
    ...writeRoute('Organization', 'rates.write', { method: 'PUT', path: '/org/exchange-rates', errors: ['CONFLICT'] }),
    resolve: (_root, { rates }, ctx) => setExchangeRates(ctx.deps, viewerOf(ctx).scope, actorOf(ctx), rates),
  }),
}));
