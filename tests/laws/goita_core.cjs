// Plays games of Goita in npm's goita-core. In: one game a line in the history notation (hands, dealer, plies; kings are
// 8 and 9). Out: one line of JSON a game, see `answer`. Moves are written as in the notation, without the seat and with
// both kings as 8, sorted.
"use strict";
const readline = require("readline");
const { Factory, Koma, Yaku } = require("goita-core");

const CARDS = [..."123456789"].map((digit) => Koma.fromStr(digit));
const merged = (moves) => [...new Set(moves.map((move) => move.replace(/9/g, "8")))].sort();

function offered(board) {
  return merged(board.toThinkingInfo().getPossibleMoves().map((move) => move.toOpenString().slice(1)));
}

function accepted(board) {
  const pairs = CARDS.flatMap((block) => CARDS.map((attack) => [block, attack]));
  const plays = pairs.filter(([block, attack]) => board.canPlay(block, attack));
  return merged([...(board.canPass() ? ["p"] : []), ...plays.map(([block, attack]) => block.value + attack.value)]);
}

function step(board, ply) {
  const [block, attack] = ply.slice(1);
  if (block === "p") board.pass();
  else board.play(Koma.fromStr(block), Koma.fromStr(attack));
}

// specials: [[seat, name, score], ...]; plies: [[seat to move, moves offered, moves accepted], ...], one before each ply;
// score, out: of a deal that ended, in points of ten a shi, else null. Deals that end at once have no plies.
function answer(line) {
  const parts = line.split(",");
  const board = Factory.createBoardFromHistory(parts.slice(0, 5).join(","));
  const specials = board.yakuInfo.map((info) => [info.playerNo, Yaku[info.yaku], info.score]);
  const plies = [];
  board.continueGoshi();
  for (const ply of parts.slice(5)) {
    plies.push([board.turnPlayer.no, offered(board), accepted(board)]);
    step(board, ply);
  }
  const end = board.getFinishState();
  return { specials, plies, score: end && end.wonScore, out: end && end.nextDealerNo };
}

readline.createInterface({ input: process.stdin }).on("line", (line) => console.log(JSON.stringify(answer(line))));
