import { describe, expect, it } from 'vitest';
import { averageRates } from '../../../../src/tenancy/org/rates/averages.ts';
import { readDocument } from '../../../../src/tenancy/org/rates/document.ts';
import { zipOf } from '../../../support/zip.ts';

/** Newest day first, as the European Central Bank writes it. */
const csv = `Date,USD,JPY,RUB,
2026-11-03,1.3,160,N/A,
2026-11-02,1.1,170,N/A,
2026-10-30,1.2,150.5,,
2026-10-01,1.1,149.5,90,
2026-09-30,1,150,80,
`;

const xml = `<?xml version="1.0" encoding="UTF-8"?><gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><gesmes:subject>Reference rates</gesmes:subject><gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender><Cube>
<Cube time="2026-11-03"><Cube currency="USD" rate="1.3"/><Cube currency="JPY" rate="160"/></Cube>
<Cube time="2026-11-02"><Cube currency="USD" rate="1.1"/><Cube currency="JPY" rate="170"/></Cube>
<Cube time='2026-10-30'><Cube currency='USD' rate='1.2'/><Cube currency='JPY' rate='150.5'/></Cube>
<Cube time="2026-10-01"><Cube currency="USD" rate="1.1"/><Cube currency="JPY" rate="149.5"/><Cube currency="RUB" rate="90"/></Cube>
<Cube time="2026-09-30"><Cube currency="USD" rate="1"/><Cube currency="JPY" rate="150"/><Cube currency="RUB" rate="80"/></Cube>
</Cube></gesmes:Envelope>
`;

const read = (text: string) => readDocument(Buffer.from(text));

describe('a document of reference rates', () => {
  it('is read from CSV, XML and ZIP alike', async () => {
    const days = await read(csv);
    expect([...days].map(([day, rates]) => [day, Object.fromEntries(rates)])).toEqual([
      ['2026-11-03', { USD: '1.3', JPY: '160' }],
      ['2026-11-02', { USD: '1.1', JPY: '170' }],
      ['2026-10-30', { USD: '1.2', JPY: '150.5' }],
      ['2026-10-01', { USD: '1.1', JPY: '149.5', RUB: '90' }],
      ['2026-09-30', { USD: '1', JPY: '150', RUB: '80' }],
    ]);
    expect(await read(xml)).toEqual(days);
    expect(await readDocument(await zipOf({ 'eurofxref-hist.csv': csv }))).toEqual(days);
  });

  it.each([
    ['', 'line 1 is not a header'],
    ['<!doctype html><html><body>Not found</body></html>', 'it is not a complete gesmes:Envelope'],
    [xml.slice(0, -30), 'it is not a complete gesmes:Envelope'],
    ['Date,USD,\n', 'it has no rates'],
    ['Day,USD\n2026-11-03,1', 'line 1 is not a header'],
    ['Date,usd\n2026-11-03,1', 'line 1 is not a header'],
    [csv.replace('2026-11-02', '2026-02-30'), 'line 3: "2026-02-30" is not a date'],
    [csv.replace('2026-11-02', '2026-11-03'), 'line 3 repeats 2026-11-03'],
    [csv.replace('1.3,160,', '1.3,'), 'line 2 has 2 rates, not 3'],
    [csv.replace('170', '1e3'), 'line 3: "1e3" is not a rate'],
    [csv.replace('170', '-1'), 'line 3: "-1" is not a rate'],
    [csv.replace('170', '0.00'), 'line 3: "0.00" is not a rate'],
    [xml.replace('rate="170"', ''), '"" is not a rate'],
    [xml.replace('currency="JPY"', 'currency="USD"'), 'repeats USD'],
    [xml.replace('time="2026-11-02"', 'day="2026-11-02"'), 'has neither time nor currency'],
    [xml.replace('<Cube time="2026-11-03">', ''), 'is outside of a day'],
  ])('is rejected if malformed: %j', async (text, reason) => {
    await expect(read(text)).rejects.toThrow(`The document of exchange rates is malformed: `);
    await expect(read(text)).rejects.toThrow(reason);
  });

  it('is rejected if the archive is damaged, or the text is not UTF-8', async () => {
    const zip = await zipOf({ 'eurofxref-hist.csv': csv });
    await expect(readDocument(zip.subarray(0, -40))).rejects.toThrow('malformed: the archive is damaged');
    await expect(readDocument(Buffer.from([0x44, 0xff, 0xfe]))).rejects.toThrow('malformed: it is not UTF-8 text');
  });
});

describe('averageRates', () => {
  it('divides the means of both currencies and rounds half up to 12 decimals', async () => {
    const days = await read(csv);
    // Means per euro: USD 1.15 and 1.2, JPY 150 and 165.
    expect(averageRates(days, 'EUR', 'USD')).toEqual([
      { month: '2026-10', rate: '1.15', isProvisional: false },
      { month: '2026-11', rate: '1.2', isProvisional: true },
    ]);
    expect(averageRates(days, 'JPY', 'USD').map(({ rate }) => rate)).toEqual(['0.007666666667', '0.007272727273']);
    expect(averageRates(days, 'USD', 'EUR').map(({ rate }) => rate)).toEqual(['0.869565217391', '0.833333333333']);
    expect(averageRates(days, 'USD', 'JPY').map(({ rate }) => rate)).toEqual(['130.434782608696', '137.5']);
  });

  it('averages only the days with a rate, and has no rate for a month without one', async () => {
    expect(averageRates(await read(csv), 'EUR', 'RUB')).toEqual([
      { month: '2026-10', rate: '90', isProvisional: false },
    ]);
    expect(averageRates(await read(csv), 'TWD', 'EUR')).toEqual([]);
  });

  it('has no rate that rounds to 0', async () => {
    const tiny = 'Date,USD\n2026-11-03,0.000000000001\n2026-10-01,1';
    expect(averageRates(await read(tiny), 'EUR', 'USD')).toMatchObject([{ rate: '0.000000000001' }]);
    const vanishing = 'Date,USD,JPY\n2026-11-03,0.000000000001,1000\n2026-10-01,1,1';
    expect(averageRates(await read(vanishing), 'JPY', 'USD')).toEqual([]);
  });
});
