import { Text } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../api/use-api.ts';
import { Act } from '../parts/form/menu.tsx';
import { done, FormDialog } from '../parts/form/dialog.tsx';
import { MoneyInput } from '../parts/form/number-field.tsx';
import { money, month as monthName } from '../words/format.ts';
import { DeleteInvoiceAmount, SetInvoiceAmount, type InvoiceRow } from './queries.ts';

interface Props {
  readonly invoice: InvoiceRow;
  onClose(): void;
}

/** Dialog to type in the amount of an invoice, or to remove it. */
export function AmountDialog({ invoice, onClose }: Props) {
  // Keeps the first version, on which the edit is based: the list is refetched during editing.
  const [{ id, currency, typedAmount, deliveredAmount, statedAmount }] = useState(invoice);
  const [amount, setAmount] = useState(statedAmount);
  const [fault, setFault] = useState<string | null>(null);
  const set = useAct(SetInvoiceAmount);
  const remove = useAct(DeleteInvoiceAmount);
  const submit = async () => {
    setFault(amount === null ? 'Enter an amount' : null);
    if (amount === null || !(await set.act({ id, statedAmount: amount, ifTypedAmount: typedAmount }))) return;
    done('Amount saved.');
    onClose();
  };
  const clear = async () => {
    if (!(await remove.act({ id, ifTypedAmount: typedAmount }))) return;
    done('Amount removed.');
    onClose();
  };
  return (
    <FormDialog
      title="Invoice total"
      verb="Save"
      of={remove.refusal ? remove : set}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text size="sm">
        {[invoice.issuer, invoice.invoiceId ?? 'without an invoice number', monthName(invoice.billingPeriod)]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      <MoneyInput
        label="Amount"
        currency={currency}
        value={amount}
        error={fault}
        data-autofocus
        description={
          deliveredAmount === null
            ? 'Total of the invoice.'
            : `Replaces the delivered amount of ${money(deliveredAmount, currency)}.`
        }
        onChange={setAmount}
      />
      {typedAmount !== null && (
        <Act
          label="Remove the entered amount"
          variant="subtle"
          color="gray"
          size="compact-sm"
          loading={remove.isBusy}
          onClick={clear}
        />
      )}
    </FormDialog>
  );
}
