/** The most common passwords, from @zxcvbn-ts/language-common (MIT, after zxcvbn by Dan Wheeler and Dropbox). */

const COUNT = 3000;
// The list omits shorter passwords, which are refused for their length.
const SHORTEST = 8;

let list: Promise<ReadonlySet<string>> | undefined;

/** Whether a password is among the 3,000 most common ones, in upper or lower case. */
export async function isCommon(password: string): Promise<boolean> {
  const common = await (list ??= load());
  return common.has(password.toLowerCase());
}

// Loaded at the first registration, because the list takes half a megabyte.
async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const byFrequency = dictionary['passwords-common'].filter((password) => password.length >= SHORTEST);
  return new Set(byFrequency.slice(0, COUNT));
}
