// Python in a worker. In: {id, task: "prepare", site, page} once, then {id, task: "run", source}.
// Out: {id, progress} any number of times, then {id, done} or {id, failed}.

let python;
let unpack; // an archive of the site
let imported = []; // packages that are loaded when a cell imports them

async function bytes(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.arrayBuffer();
}

async function prepare(id, { site, page, prelude }) {
  const say = (progress) => postMessage({ id, progress });
  say("loading Python");
  const manifest = JSON.parse(new TextDecoder().decode(await bytes(`${site}manifest.json`)));
  const { loadPyodide } = await import(`${site}pyodide.mjs`);
  python = await loadPyodide({ indexURL: site, packageBaseUrl: site });
  if (manifest.packages.length) {
    say(`loading ${manifest.packages.join(", ")}`);
    await python.loadPackage(manifest.packages, { messageCallback: say });
  }
  unpack = async (archive) => python.unpackArchive(await bytes(site + archive), "zip", { extractDir: "/book" });
  for (const archive of manifest.archives) {
    say(`loading ${archive}`);
    await unpack(archive);
  }
  imported = manifest.imported;
  for (const [i, name] of page.data.entries()) {
    say(`loading data, ${i + 1} of ${page.data.length}`);
    const path = `/book/data/${name}`;
    python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    python.FS.writeFile(path, new Uint8Array(await bytes(`${site}../_static/data/${name}`)));
  }
  for (const name of page.checks ? ["checks.json", "seals/everybody.json"] : []) {
    const path = `/book/${name}`;
    python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    python.FS.writeFile(path, new Uint8Array(await bytes(`${site}../_static/data/${name}`)));
  }
  python.runPython(
    `import os, sys\nos.makedirs("/book/chapters/here", ` +
      `exist_ok=True)\nos.chdir("/book/chapters/here")\nsys.path.insert(0, ` +
      `"/book")\nos.environ.update(CALIB_DATA="/book/data", MPLBACKEND="agg")`,
  );
  python.runPython(new TextDecoder().decode(await bytes(prelude)));
}

async function run(id, { source }) {
  for (const name of imported.filter((name) => source.includes(`import ${name}`))) {
    postMessage({ id, progress: `loading ${name}` });
    await unpack(`${name}.zip`);
    imported = imported.filter((other) => other !== name);
  }
  return JSON.parse(python.globals.get("run")(source));
}

const tasks = { prepare, run };

let queue = Promise.resolve();
onmessage = ({ data: { id, task, ...rest } }) => {
  queue = queue.then(async () => {
    try {
      postMessage({ id, done: (await tasks[task](id, rest)) ?? null });
    } catch (error) {
      postMessage({ id, failed: String(error.message || error) });
    }
  });
};
