import type { AwsAnswer, AwsAnswers, AwsCall } from './fake.ts';

/** One charge on a bill. */
export interface FakeCharge {
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly account: string;
  readonly service: string;
  readonly recordType: string;
  readonly unblended: string;
  readonly amortized?: string;
  readonly net?: string;
}

interface Question {
  readonly TimePeriod: { readonly Start: string; readonly End: string };
  readonly Granularity: 'DAILY' | 'MONTHLY';
  readonly Metrics: readonly string[];
  readonly GroupBy: readonly { readonly Key: string }[];
  readonly Filter?: { readonly Dimensions: { readonly Key: string; readonly Values: readonly string[] } };
  readonly NextPageToken?: string;
}

interface Bill {
  readonly charges: readonly FakeCharge[];
  readonly names?: Readonly<Record<string, string>>;
  /** Days or months per page. */
  readonly pageSize?: number;
  readonly unit?: string;
}

/** Cost Explorer with these charges. Each group has one charge; unsupported groups and filters are rejected. */
export function costExplorerAnswers(bill: Bill): AwsAnswers {
  return { 'ce.GetCostAndUsage': (call) => answer(call, bill) };
}

function answer({ params }: AwsCall, { charges, names = {}, pageSize = 1000, unit = 'USD' }: Bill): AwsAnswer {
  const question = params as unknown as Question;
  const { TimePeriod, GroupBy, Filter } = question;
  if (TimePeriod.Start >= TimePeriod.End) return refused('Start date must be before end date.');
  if (GroupBy.length > 2 || (Filter && Filter.Dimensions.Key !== 'RECORD_TYPE')) return refused('Not supported.');
  const mine = charges.filter(
    ({ day, recordType }) =>
      day >= TimePeriod.Start && day < TimePeriod.End && (Filter?.Dimensions.Values.includes(recordType) ?? true),
  );
  const length = question.Granularity === 'DAILY' ? 10 : 7;
  const periods = [...new Set(mine.map(({ day }) => day.slice(0, length)))].sort();
  const from = Number(question.NextPageToken ?? 0);
  const page = periods.slice(from, from + pageSize);
  return {
    json: {
      ResultsByTime: page.map((period) => ({
        TimePeriod: { Start: length === 7 ? `${period}-01` : period, End: '2099-01-01' },
        Total: {},
        Groups: groups(
          mine.filter(({ day }) => day.startsWith(period)),
          question,
          unit,
        ),
        Estimated: true,
      })),
      DimensionValueAttributes: Object.entries(names).map(([Value, description]) => ({
        Value,
        Attributes: { description },
      })),
      ...(from + pageSize < periods.length && { NextPageToken: String(from + pageSize) }),
    },
  };
}

function groups(charges: readonly FakeCharge[], { GroupBy, Metrics }: Question, unit: string): object[] {
  const keyOf = (charge: FakeCharge, key: string): string =>
    key === 'LINKED_ACCOUNT' ? charge.account : key === 'SERVICE' ? charge.service : charge.recordType;
  const found = Map.groupBy(charges, (charge) => JSON.stringify(GroupBy.map(({ Key }) => keyOf(charge, Key))));
  return [...found].map(([keys, members]) => ({
    Keys: JSON.parse(keys) as string[],
    Metrics: Object.fromEntries(Metrics.map((metric) => [metric, { Amount: total(members, metric), Unit: unit }])),
  }));
}

/** Rounds to ten decimals in integers, because floating point would drift. */
function total(charges: readonly FakeCharge[], metric: string): string {
  const digits = 10;
  const sum = charges.reduce((all, charge) => all + units(amount(charge, metric), digits), 0n);
  const text = `${sum < 0n ? -sum : sum}`.padStart(digits + 1, '0');
  return `${sum < 0n ? '-' : ''}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

function units(text: string, digits: number): bigint {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const all = BigInt(whole + fraction.padEnd(digits, '0'));
  return text.startsWith('-') ? -all : all;
}

function amount(charge: FakeCharge, metric: string): string {
  if (metric === 'UnblendedCost') return charge.unblended;
  const amortized = charge.amortized ?? charge.unblended;
  return metric === 'AmortizedCost' ? amortized : (charge.net ?? amortized);
}

function refused(message: string): AwsAnswer {
  return { status: 400, json: { __type: 'ValidationException', message } };
}
