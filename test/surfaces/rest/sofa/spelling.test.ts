import { describe, expect, it } from 'vitest';
import { camelOf, snakeOf } from '../../../../src/kit/text/case.ts';
import { Spelling } from '../../../../src/surfaces/rest/sofa/spelling.ts';

describe('spelling', () => {
  it.each([
    ['id', 'id'],
    ['startDate', 'start_date'],
    ['costLast30Days', 'cost_last_30_days'],
    ['lower80', 'lower_80'],
    ['coverage95', 'coverage_95'],
    ['sha256', 'sha256'],
    ['downloadURL', 'download_url'],
    ['qrSvg', 'qr_svg'],
  ])('converts %s to %s for REST', (camel, snake) => {
    expect(snakeOf(camel)).toBe(snake);
  });

  it('converts names without digits back', () => {
    expect(camelOf('sub_account_id')).toBe('subAccountId');
  });

  it('throws when two names of a type have the same spelling', () => {
    const spelling = new Spelling();
    spelling.respell('Budget', 'createdAt');
    expect(() => spelling.respell('Budget', 'created_at')).toThrow(
      'Budget: createdAt and created_at are both created_at',
    );
    expect(spelling.respell('Account', 'created_at')).toBe('created_at');
  });
});
