// Who may see a history, from what the routes that read and update the record declare.
import { expect, it } from 'vitest';
import { historyAccess } from '../../../../apps/api/record-routes/history-access.ts';

const taking = (...all: string[]): { readonly access: { readonly all: readonly string[] } } => ({ access: { all } });

it('takes what reading and what updating the record take', () => {
  expect(historyAccess.see(taking('view_repository'), taking('update_accession_record'))).toEqual({
    all: ['view_repository', 'update_accession_record'],
  });
  expect(historyAccess.see({ access: 'session' }, taking('update_subject_record'))).toEqual({
    all: ['update_subject_record'],
  });
  expect(historyAccess.see(taking('manage_users'), taking('manage_users'))).toEqual({ all: ['manage_users'] });
});

it('is for administrators where no permission says who may update, or none is needed for either', () => {
  expect(historyAccess.see(taking('view_repository'), undefined)).toEqual({ all: ['administer_system'] });
  expect(historyAccess.see({ access: 'public' }, { access: 'session' })).toEqual({ all: ['administer_system'] });
});
