const names = new Intl.DisplayNames('en', { type: 'currency' });

/** Every currency that there is, with its name: `EUR · Euro`. */
export function currencyChoices(): { readonly value: string; readonly label: string }[] {
  return Intl.supportedValuesOf('currency').map((value) => ({
    value,
    label: `${value} · ${names.of(value) ?? value}`,
  }));
}
