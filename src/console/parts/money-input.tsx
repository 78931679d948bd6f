import { NumberField, type NumberFieldProps } from './number-field.tsx';

interface Props extends Omit<NumberFieldProps, 'prefix' | 'suffix' | 'thousandSeparator'> {
  readonly currency: string;
}

/** Takes an amount of money, with the currency it is in. */
export function MoneyInput({ currency, ...rest }: Props) {
  return <NumberField thousandSeparator="," suffix={` ${currency}`} placeholder={`0 ${currency}`} {...rest} />;
}

/** Takes a percentage. */
export function PercentInput(props: Omit<NumberFieldProps, 'prefix' | 'suffix'>) {
  return <NumberField suffix=" %" placeholder="0 %" {...props} />;
}
