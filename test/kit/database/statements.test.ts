import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitStatements } from '../../../src/kit/database/statements.ts';

describe('splitStatements', () => {
  it.each([
    ['plain statements', 'select 1; select 2', ['select 1', 'select 2']],
    ['empty statements and a trailing semicolon', ';; select 1 ;;', ['select 1']],
    ['a script without statements', ' \n-- only this;\n/* and this; */', []],
    ['a string', `select 'a;b', 'it''s;'; select 2`, [`select 'a;b', 'it''s;'`, 'select 2']],
    ['a backslash in a plain string', `select '\\'; select 2`, [`select '\\'`, 'select 2']],
    ['a backslash in an E string', `select E'\\';'; select 2`, [`select E'\\';'`, 'select 2']],
    ['a quoted name', 'select 1 as "a;""b"; select 2', ['select 1 as "a;""b"', 'select 2']],
    ['a dollar quote', 'do $$ begin; end; $$; select 2', ['do $$ begin; end; $$', 'select 2']],
    [
      'a tagged dollar quote around another one',
      'do $a$ x; $$ y; $$ z; $a$; select 2',
      ['do $a$ x; $$ y; $$ z; $a$', 'select 2'],
    ],
    ['parameters and names with dollars', 'select $1, a$b; select 2', ['select $1, a$b', 'select 2']],
    ['a line comment', "select 1 -- it's; here\n; select 2", ["select 1 -- it's; here", 'select 2']],
    ['nested comments', 'select /* ; /* ; */ ; */ 1; select 2', ['select /* ; /* ; */ ; */ 1', 'select 2']],
    [
      'an SQL function body',
      'create function f() returns int begin atomic select case when true then 1 end; select 2; end; select 3',
      ['create function f() returns int begin atomic select case when true then 1 end; select 2; end', 'select 3'],
    ],
  ])('handles %s', (_name, script, statements) => {
    expect(splitStatements(script)).toEqual(statements);
  });

  it.each([
    [`select 1;\nselect 'a`, "A block, quote or comment that opens on line 2 is not closed: 'a"],
    ['select "a', 'A block, quote or comment that opens on line 1 is not closed: "a'],
    ['do $x$ a $$', 'A block, quote or comment that opens on line 1 is not closed: $x$ a $$'],
    ['/* /* */', 'A block, quote or comment that opens on line 1 is not closed: /* /* */'],
  ])('rejects %s', (script, message) => {
    expect(() => splitStatements(script)).toThrow(message);
  });

  it('returns every statement of a script', () => {
    const piece = fc.constantFrom('select 1', `'a;'`, '"b;"', '$$c;$$', '$t$;$t$', 'x', '/* ; */ y', '$1', '1.5');
    const statement = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(' '));
    fc.assert(
      fc.property(fc.array(statement), (statements) => {
        expect(splitStatements(statements.join(' ;\n'))).toEqual(statements);
      }),
    );
  });
});
