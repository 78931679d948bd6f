import { currencyRule } from '../../tenancy/org/organization.ts';
import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { listArgs, paged, pageField } from '../../graph/paging.ts';
import { readRoute, writeRoute } from '../../graph/rest.ts';
import { InvoicePage, InvoiceStatusType, InvoiceType } from './graphql-types.ts';
import { invoiceSortFields } from './store.ts';
import {
  deleteStatedAmount,
  pageInvoices,
  prepareInvoices,
  readInvoice,
  setStatedAmount,
  statedAmountRule,
} from './run.ts';

const idArg = 'Id of the invoice.';

builder.queryFields((t) => ({
  invoices: t.field({
    ...readRoute('Invoices', '/invoices', { csv: 'data', etag: true }),
    ...pageField(InvoicePage),
    description:
      'Lists invoices per account, billing month, issuer and invoice number, with the sum of their lines, the amount stated by the provider, and the difference. Newest month first.',
    args: {
      accountId: t.arg.idList({ description: 'Only invoices of these connected accounts.' }),
      startMonth: t.arg({ type: 'Month', description: 'First billing month.' }),
      endMonth: t.arg({ type: 'Month', description: 'Last billing month, inclusive.' }),
      status: t.arg({ type: [InvoiceStatusType], description: 'Only invoices with these statuses.' }),
      issuer: t.arg.stringList({ description: 'Only invoices of these issuers, as on the bill.' }),
      ...listArgs('Invoice', invoiceSortFields, 'Newest month first, then largest billed amount,'),
    },
    resolve: (_root, args, ctx) =>
      paged(args, async (page) => {
        const prepared = await prepareInvoices(ctx.deps, viewerOf(ctx).scope, args);
        ctx.dependsOn?.(`${prepared.key} ${page.skip} ${page.take}`);
        return pageInvoices(ctx.deps, prepared, page);
      }),
  }),
  invoice: t.field({
    ...readRoute('Invoices', '/invoices/{id}'),
    type: InvoiceType,
    description: 'Returns an invoice.',
    args: { id: t.arg.id({ required: true, description: idArg }) },
    resolve: (_root, { id }, ctx) => readInvoice(ctx.deps, viewerOf(ctx).scope, id),
  }),
}));

builder.mutationFields((t) => ({
  setInvoiceAmount: t.field({
    type: InvoiceType,
    description:
      'Sets the stated amount of an invoice. It takes precedence over the amount delivered by the provider. For Admins.',
    args: {
      id: t.arg.id({ required: true, description: idArg }),
      statedAmount: t.arg({
        ...bounded(statedAmountRule),
        type: 'Decimal',
        required: true,
        description: 'Total of the invoice, with at most 6 decimals; negative for a credit note.',
      }),
      currency: t.arg.string({
        ...bounded(currencyRule),
        description: 'ISO 4217 currency of the amount. Must be the invoice’s, which is the default.',
      }),
      ifTypedAmount: t.arg({
        ...bounded(statedAmountRule),
        type: 'Decimal',
        description:
          'The `typedAmount` that you have read, null for none: if it has changed since, the update fails with `CONFLICT`.',
      }),
    },
    ...writeRoute('Invoices', 'invoices.write', { method: 'PUT', path: '/invoices/{id}', errors: ['CONFLICT'] }),
    async resolve(_root, args, ctx) {
      await setStatedAmount(ctx.deps, viewerOf(ctx).scope, actorOf(ctx), args);
      return readInvoice(ctx.deps, viewerOf(ctx).scope, args.id);
    },
  }),
  deleteInvoiceAmount: t.boolean({
    description:
      'Removes the amount that was entered for an invoice; the amount delivered by the provider, if any, applies again. For Admins.',
    args: {
      id: t.arg.id({ required: true, description: idArg }),
      ifTypedAmount: t.arg({
        ...bounded(statedAmountRule),
        type: 'Decimal',
        description:
          'The `typedAmount` that you have read: if it has changed since, the removal fails with `CONFLICT`.',
      }),
    },
    ...writeRoute('Invoices', 'invoices.write', {
      method: 'DELETE',
      path: '/invoices/{id}/stated-amount',
      status: 204,
      errors: ['CONFLICT'],
    }),
    async resolve(_root, args, ctx) {
      await deleteStatedAmount(ctx.deps, viewerOf(ctx).scope, actorOf(ctx), args);
      return true;
    },
  }),
}));
