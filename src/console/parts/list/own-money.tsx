import { Text } from '@mantine/core';
import { graphql } from '../../api/graphql.ts';
import { useMe } from '../../api/me.tsx';
import { useAnswer } from '../../api/use-api.ts';
import { today } from '../../words/days.ts';
import { money } from '../../words/format.ts';

const RatesToConvert = graphql(`
  query RatesToConvert {
    exchangeRates {
      rates {
        month
        from
        to
        rate
      }
    }
  }
`);

interface Props {
  readonly value: number | null;
  /** Currency of the bill. */
  readonly currency: string;
  /** Formats both amounts; `money` by default. */
  readonly format?: (value: number, currency: string) => string;
  readonly isStrong?: boolean;
}

/** Amount of a row in the organization's currency, with the original below it if that differs. Without an exchange rate, only
 *  the original. */
export function OwnMoney({ value, currency, format = money, isStrong = false }: Props) {
  const { organization } = useMe();
  const rate = useRate(currency, organization.currency);
  if (value === null) return <span className="figures">–</span>;
  const isOwn = rate === 1 || rate === null;
  const shown = isOwn ? format(value, currency) : format(value * rate, organization.currency);
  const main = <span className="figures">{isStrong ? <strong>{shown}</strong> : shown}</span>;
  if (isOwn) return main;
  return (
    <>
      <div>{main}</div>
      <Text component="div" size="xs" c="dimmed" className="figures">
        {format(value, currency)}
      </Text>
    </>
  );
}

/** Returns the rate of this month, or the last one before it; null if there is none. Such amounts are of the last days. */
function useRate(from: string, to: string): number | null {
  const { data } = useAnswer(RatesToConvert, {}, { pause: from === to });
  if (from === to) return 1;
  const month = today().slice(0, 7);
  // Newest month first.
  const known = data?.exchangeRates?.rates.find((rate) => rate.from === from && rate.to === to && rate.month <= month);
  return known?.rate ?? null;
}
