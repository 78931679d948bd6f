import { expect, it } from 'vitest';
import { csvOf } from '../../../src/console/costs/table/found-csv.ts';

it('keeps the lines of the rows, whether their cells contain the value or the name', () => {
  const text = [
    'service,account_id,account_name,tag:team,cost',
    '"Amazon ""EC2"", Linux",1,Prod,Untagged,5',
    '"Amazon ""EC2"", Linux",2,Test,Untagged,4',
    "No service,1,Prod,'=web,3",
    'Other (2 rows),,,,2',
    '',
  ].join('\r\n');
  const ec2 = { dimension: 'service', value: 'Amazon "EC2", Linux', label: 'Amazon "EC2", Linux' } as const;
  const rows = [
    {
      keys: [
        ec2,
        { dimension: 'account', value: '1', label: 'Prod' },
        { dimension: 'tag:team', value: null, label: 'Untagged' },
      ],
    },
    {
      keys: [
        { dimension: 'service', value: null, label: 'No service' },
        { dimension: 'account', value: '1', label: 'Prod' },
        { dimension: 'tag:team', value: '=web', label: '=web' },
      ],
    },
  ] as const;
  const [head, first, , third] = text.split('\r\n');
  expect(csvOf(rows, text)).toBe([head, first, third, ''].join('\r\n'));
});
