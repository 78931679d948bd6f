import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useMay, useMe } from '../api/me.tsx';
import { useAnswer } from '../api/use-answer.ts';
import { Card } from '../parts/card.tsx';
import { Shown } from '../parts/shown.tsx';
import { today } from '../words/days.ts';
import { MissingNote } from './rates/missing-note.tsx';
import { RateList, type Rate } from './rates/queries.ts';
import { RatesDialog, type Wanted } from './rates/rates-dialog.tsx';
import { RatesTable } from './rates/rates-table.tsx';
import { RemoveDialog } from './rates/remove-dialog.tsx';
import { SettingsPage } from './settings-page.tsx';

/** The monthly rates by which costs in other currencies are converted. */
export function ExchangeRatesPage() {
  const { organization } = useMe();
  const mayWrite = useMay('rates.write');
  const answer = useAnswer(RateList, {});
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const [removed, setRemoved] = useState<Rate | null>(null);
  const add = () => setWanted({ from: '', to: organization.currency, months: [today().slice(0, 7)] });
  const button = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
      Add rates
    </Button>
  );
  return (
    <SettingsPage
      title="Exchange rates"
      lead={`Costs in other currencies are converted to ${organization.currency} by the rate of their month. None is carried forward.`}
      actions={mayWrite && button}
    >
      {answer.data?.exchangeRates && (
        <MissingNote rates={answer.data.exchangeRates.rates} mayWrite={mayWrite} onAdd={setWanted} />
      )}
      <Card flush>
        <Shown of={answer} height={360}>
          {({ exchangeRates }) => (
            <RatesTable
              rates={exchangeRates?.rates ?? []}
              currency={organization.currency}
              {...(mayWrite && { acts: { onChange: setWanted, onRemove: setRemoved } })}
            />
          )}
        </Shown>
      </Card>
      {wanted && <RatesDialog wanted={wanted} onClose={() => setWanted(null)} />}
      {removed && <RemoveDialog rate={removed} onClose={() => setRemoved(null)} />}
    </SettingsPage>
  );
}
