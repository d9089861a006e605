/** The scopes of access tokens, with the texts that a consent page shows. */
export const SCOPES = {
  'games:read':
    'See your games as only you see them: legal moves, conditional moves, what you may do, vacations.',
  'games:play': 'Play your games: make and plan moves, make and answer offers, resign, take vacations.',
  'challenges:read': 'See your challenges and seeks, and what waits for your answer.',
  'challenges:write': 'Challenge others, seek opponents, and answer challenges and rematches.',
  'messages:read': 'Read the messages and the private notes of your games.',
  'messages:write': 'Send messages to your opponents, mute opponents, and write private notes.',
  notifications: 'Read your notifications, and mark them as read.',
  'profile:read': 'See who you are, your settings, and which users you block.',
  'profile:write': 'Change your display name and settings, and block users.',
  imports: 'Import games in your name; list and delete the games that you have imported.',
  exports: 'Download everything that is stored about you, private messages and notes included.',
  webhooks:
    'Have your events sent to addresses on the internet as they happen, as far as the token reads them.',
  account:
    'See and end your sessions, see and change your e-mail address, change your password, and close your account.',
  application:
    'Act as an application, which has players of its own. Only the client credentials of an application give it.',
} as const;

export type Scope = keyof typeof SCOPES;

/** The scopes of a guest. */
export const GUEST_SCOPES = [
  'games:read',
  'games:play',
  'challenges:read',
  'challenges:write',
] as const satisfies readonly Scope[];

/** The scopes that a player of an application can have. */
export const PLAYER_SCOPES = [
  ...GUEST_SCOPES,
  'messages:read',
  'messages:write',
  'notifications',
] as const satisfies readonly Scope[];

/** The scopes of an application that acts as itself. */
export const APPLICATION_SCOPES = ['application', 'webhooks'] as const satisfies readonly Scope[];

const KNOWN_SCOPES = Object.keys(SCOPES) as readonly Scope[];

/** The scopes of a session that was opened with a password: all of a user. */
export const ALL_SCOPES: readonly Scope[] = KNOWN_SCOPES.filter((scope) => scope !== 'application');

/** The known scopes in a text, in which spaces separate them. */
export function scopesIn(text: string): readonly Scope[] {
  const words = text.split(' ');
  return KNOWN_SCOPES.filter((scope) => words.includes(scope));
}
