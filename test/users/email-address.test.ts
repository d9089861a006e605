import fc from 'fast-check';
import { isEmailAddress, requireEmailAddress } from '../../src/features/recovery/email-address.js';

/** What is taken for one e-mail address. */

test.each([
  'ann@example.org',
  "o'neil+chess@mail.example.co.uk",
  'A.B-c_d@xn--mller-kva.example',
  'x@1.example',
])('%s is one', (text) => {
  expect(isEmailAddress(text)).toBe(true);
});

test.each([
  '',
  '@',
  'ann',
  'ann@host',
  'a@b@c.org',
  'a b@c.org',
  'a@c.org,d@e.org',
  '"a"@c.org',
  'a@c.org\n',
  'a@[10.0.0.1]',
  'a@-c.org',
  'a@c..org',
  'ä@c.org',
  'a@c.org>',
  '<a@c.org',
  'a@c.org\0',
])('%j is none', (text) => {
  expect(isEmailAddress(text)).toBe(false);
});

test('what is taken has no sign that means something to a mail server or a header', () => {
  const sign = fc.constantFrom(...'aB1.@,;:<>()[]"\\ \r\n\0+-_ä');
  fc.assert(
    fc.property(fc.string({ unit: sign, maxLength: 40 }), (text) => {
      if (isEmailAddress(text)) expect(text).toMatch(/^[^\s,;:<>()[\]"\\\0@]+@[a-z0-9.-]+\.[a-z0-9-]+$/i);
    }),
    { numRuns: 5000 },
  );
});

test('spaces around it are left away, and anything else is refused with its text', () => {
  expect(requireEmailAddress(' ann@example.org\n', 'email')).toBe('ann@example.org');
  expect(() => requireEmailAddress('ann@', 'email')).toThrow(
    'email must be one e-mail address in ASCII, such as ann@example.org; got "ann@".',
  );
});
