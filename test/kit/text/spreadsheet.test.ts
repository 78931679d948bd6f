import { describe, expect, it } from 'vitest';
import { csvText, inertCell } from '../../../src/kit/text/spreadsheet.ts';

describe('csvText', () => {
  it('quotes cells with any kind of line break', () => {
    expect(csvText([['a\n=1', 'b\r=1', 'c\r\n=1', 1.5, null]])).toBe('"a\n=1","b\r=1","c\r\n=1",1.5,\r\n');
  });
});

describe('inertCell', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['\t=1', "'\t'=1"],
    ['a;=HYPERLINK("http://evil.example")', `a;'=HYPERLINK("http://evil.example")`],
    ['a\n+1;;-2\t@x\r＝3', "a\n'+1;;'-2\t'@x\r'＝3"],
    ['a=1;b', 'a=1;b'],
    ['\u001b]0;title\u0007\u001b[31mred\u009b0m', ']0;title[31mred0m'],
    ['\u001b=1\u007f', "'=1"],
    ['', ''],
  ])('makes %j inert, also where semicolons, tabs or line breaks end a cell, and in terminals', (text, inert) => {
    expect(inertCell(text)).toBe(inert);
  });
});
