// The answer desk's work beside the page. In: {id, bytes or text, isPasted}, then {id, choice}. Out: {id, answer}.

importScripts(
  "texts.js",
  "papaparse.js",
  "../widgets/definitions.js",
  "table.js",
  "roles.js",
  "checks.js",
  "reading.js",
  "proposals.js",
  "measure.js",
  "words.js",
  "answer.js"
);
onmessage = ({ data }) => postMessage({ id: data.id, answer: answerTo(data) });
