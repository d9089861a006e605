import { GAME_ID, look, OF_GAME, tab, type StarterTab } from './graphiql.tab.js';

/** What a player finds on his desk: his games, what waits for his answer, news, messages, notes and blocks. */

const myGames = `
# Ben's running games, the most urgent first:
# those that want a move or an answer, by
# deadline; then the others. list: ended and all
# are there as well.
query benGames {
  myGames(list: running, first: 20) {
    counts { toMove waiting offers }
    edges {
      node {
        id
        turn
        you
        deadlineAt
        offers { draw { by } takeback { by } pause { by } }
      }
    }
  }
}
`;

const inbox = `
# What waits for Ben's answer: challenges,
# rematches, and offers in games, as this draw.
query benInbox {
  inbox(first: 20) {
    totalCount
    edges {
      node {
        kind
        at
        gameId
        challengeId
        from { username }
        expiresAt
      }
    }
  }
}
`;

const news = `
# News for Ben: the newest of each kind per game.
query benNews {
  notifications(unread: true, first: 20) {
    unreadCount
    edges {
      node { id type gameId data createdAt readAt }
    }
  }
}
`;

const readNews = `
# Marks those of this game as read; the answer is
# how many. ids (a list), or before (a moment),
# go, too.
mutation benHasReadNews($gameId: ID!) {
  markNotificationsRead(gameId: $gameId)
}
`;

export const lists = (ben: string): readonly StarterTab[] => [
  tab(myGames, undefined, ben),
  tab(inbox, undefined, ben),
  tab(news, undefined, ben),
  tab(readNews, OF_GAME, ben),
];

const write = `
# Ann writes to Ben: up to 500 characters, before,
# in or after a game.
mutation annWrites($input: SendMessageInput!) {
  sendMessage(input: $input) {
    id
    player
    text
    createdAt
  }
}
`;

const mute = `
# Ben takes no more messages in this game:
# annWrites now answers with an error. With muted
# false he does.
mutation benMutes($gameId: ID!, $muted: Boolean!) {
  muteOpponent(gameId: $gameId, muted: $muted) {
    opponentMuted
  }
}
`;

const note = `
# A note that nobody but Ann sees, up to 2,000
# characters. An empty one takes it away.
mutation annNotes($gameId: ID!, $note: String!) {
  setNote(gameId: $gameId, note: $note) {
    note
  }
}
`;

const blocked = `
# Whom Ann blocks.
query annReadsBlocks {
  blockedUsers(first: 20) {
    edges {
      node { username }
    }
  }
}
`;

const ofUser = (tabName: string, comment: string, name: string) => `
${comment}
mutation ${tabName}($username: String!) {
  ${name}(username: $username) {
    username
  }
}
`;

export const desk = (ann: string, ben: string): readonly StarterTab[] => [
  tab(write, { input: { gameId: GAME_ID, text: 'Good luck!' } }, ann),
  tab(
    look(
      'benReadsMessages',
      '# The two players alone read them.',
      `messages(last: 20) {
  edges {
    node { player text createdAt }
  }
}`,
    ),
    OF_GAME,
    ben,
  ),
  tab(mute, { gameId: GAME_ID, muted: true }, ben),
  tab(note, { gameId: GAME_ID, note: 'He likes open games.' }, ann),
  tab(
    ofUser(
      'annBlocks',
      `# Ben cannot challenge Ann or write to her any
# more, nor she him. Their game goes on.`,
      'blockUser',
    ),
    { username: ben },
    ann,
  ),
  tab(blocked, undefined, ann),
  tab(ofUser('annUnblocks', '# And may again.', 'unblockUser'), { username: ben }, ann),
];
