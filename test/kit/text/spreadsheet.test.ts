import { describe, expect, it } from 'vitest';
import { csvText } from '../../../src/kit/text/spreadsheet.ts';

describe('csvText', () => {
  it('quotes cells with any kind of line break', () => {
    expect(csvText([['a\n=1', 'b\r=1', 'c\r\n=1', 1.5, null]])).toBe('"a\n=1","b\r=1","c\r\n=1",1.5,\r\n');
  });
});
