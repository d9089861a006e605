import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ID, Int, InterfaceType, ObjectType } from '@nestjs/graphql';
import { DateTimeScalar } from '../../platform/contract/scalars.js';
import { enumOf, model, orNull, refTo, shown } from '../../platform/contract/model.js';
import { pageFields } from '../../platform/contract/paginated.js';
import { Node } from '../../platform/contract/node.js';
import { CHALLENGES_FROM } from './challenge-policy.js';

export const ChallengesFromEnum = enumOf(CHALLENGES_FROM, {
  name: 'ChallengesFrom',
  description: 'The users whose challenges a user accepts.',
  values: {
    everybody: 'All users.',
    rated:
      "The users whose rating is within `challengesWithin` of this user's own, in the pool of the challenge.",
    nobody: 'No users; rematches and counter-offers still arrive.',
  },
});

const NAMES = {
  id: shown(ID, { description: 'The id of the user.' }),
  displayName: shown(String, {
    description: 'The name for display, 1 to 40 characters; `Closed account` for a closed account.',
    example: 'Ann Lee',
  }),
  closed: shown(Boolean, {
    description:
      'True if the account is closed: it has the names of all closed accounts and only its id is its own.',
  }),
};

const USERNAME = {
  description:
    'The unique name in lower case, 3 to 30 characters; `closed-account` for every closed account.',
  example: 'ann',
};

@InterfaceType({
  description: 'The holder of a seat in a game: a user, or a player of an application, who has no username.',
  // A closed account has a name as well: that of all closed accounts.
  resolveType: ({ username }: Player) => (username === null ? ManagedPlayer.name : User.name),
})
export abstract class Player {
  @NAMES.id
  readonly id: string;

  @shown(String, {
    ...USERNAME,
    nullable: true,
    description: `${USERNAME.description} Null for a player of an application.`,
  })
  readonly username: string | null;

  @NAMES.displayName
  readonly displayName: string;

  @NAMES.closed
  readonly closed: boolean;
}

@ObjectType({ description: 'An application that has players of its own, as others see it.' })
export class ApplicationName extends model({
  id: shown(ID, { description: 'The id of the application.' }),
  name: shown(String, { description: 'The name of the application.', example: 'Springfield Chess Club' }),
}) {}

@ObjectType({ description: 'A user of this server.', implements: () => [Node, Player] })
export class User extends model({
  ...NAMES,
  username: shown(String, USERNAME),
  guest: shown(Boolean, {
    description:
      'True for a guest, who has no way to sign in yet, plays casual games, and may become a person by `claimAccount`.',
  }),
  createdAt: shown(DateTimeScalar, {
    nullable: true,
    description: 'The time of registration; null for a closed account.',
  }),
  challengesFrom: shown(ChallengesFromEnum, { description: 'The users whose challenges this user accepts.' }),
  challengesWithin: shown(Int, {
    nullable: true,
    description:
      'The largest difference in rating of an accepted challenger, 1 to 4000; null unless challenges are accepted by rating.',
  }),
}) {}

@ObjectType({
  description:
    'A player whom an application brings along, who has no username here. The application can act as each of its players, and reads their games, conditional moves, notes and messages.',
  implements: () => [Player],
})
export class ManagedPlayer extends model({
  ...NAMES,
  application: shown(ApplicationName, {
    description: 'The application, beside whose name the player is shown.',
  }),
}) {
  // The interface gives it to GraphQL.
  @ApiProperty({ type: String, nullable: true, description: 'Always null.' })
  readonly username: null = null;
}

/** Whoever can hold a seat. */
export type AnyPlayer = User | ManagedPlayer;

/** A property that holds one, or null where it may. */
export const shownPlayer = (description: string) =>
  shown(Player, { description, rest: { oneOf: [refTo(User), refTo(ManagedPlayer)] } });

export const shownPlayerOrNull = (description: string) =>
  shown(Player, { nullable: true, description, rest: orNull(User, ManagedPlayer) });

/** The name for display, beside it that of the application through which somebody plays. */
export const fullNameOf = (player: AnyPlayer): string =>
  'application' in player ? `${player.displayName} (${player.application.name})` : player.displayName;

/** By what others know a player: the username, or the name for display of one without. */
export const nameOf = ({ username, displayName }: AnyPlayer): string => username ?? displayName;

@ApiSchema({ description: 'The users whose username or display name begins so.' })
export class UserPage extends model(pageFields(User)) {}
