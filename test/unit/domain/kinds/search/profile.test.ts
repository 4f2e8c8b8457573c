// Search fields of profiles.
import { expect, it } from 'vitest';
import { profileFields } from '#domain/kinds/search/profile.ts';

it('names sizes after the kind', () => {
  const { container_profile_width_u_sstr: width, title } = profileFields('container_profile');
  expect(width?.read({ width: '2' }, {})).toEqual(['2']);
  expect(title?.read({ name: 'Small' }, {})).toBe('Small');
});
