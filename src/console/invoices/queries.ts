import * as operations from '../../../schema/operations.ts';
import { graphql, type ResultOf } from '../api/graphql.ts';

const InvoiceRow = graphql(operations.InvoiceRow);

export const InvoicesQuery = graphql(operations.invoices, [InvoiceRow]);

/** Invoice in the list. */
export type InvoiceRow = ResultOf<typeof InvoiceRow>;

export const SetInvoiceAmount = graphql(operations.setInvoiceAmount);

export const DeleteInvoiceAmount = graphql(operations.deleteInvoiceAmount);
