/** What `init` writes as `msp-conformance.config.yaml`; it loads as it stands. */
export const CONFIG_TEMPLATE = `# Targets and defaults for msp-conformance. Options on the command line win over this file.

targets:
  # msp-conformance run --target mine
  mine:
    # Program and arguments; no shell is involved. {stateDir}, {workspace} and {port} are filled in for each scenario.
    command: [node, server.js]

    # A server that listens instead of using its stdin and stdout:
    # unix: "{stateDir}/msp.sock"
    # tcp: "127.0.0.1:{port}"

    # Added to the server's environment, which is otherwise empty of yours (inheritEnv: true passes yours on):
    # env: { LOG_LEVEL: warn }

    # Input texts that make your server's model do something on cue. Each enables more scenarios:
    # behaviours:
    #   slow: count slowly to a million        # a turn that runs for about two seconds
    #   fail: please fail                      # a turn that fails
    #   approval: run a command that needs me  # a turn that asks for an approval
    #   question: ask me something             # a turn that asks the user
    #   echo: repeat after me                  # a turn whose answer repeats the input

# Any option of run, by its long name:
defaults:
  target: mine
  # Known failures, each with a reason; they do not fail the run until they are fixed:
  # expected-failures: msp-expected-failures.yaml
  # Warnings fail too:
  # strict: true
  # How long an answer may take, in milliseconds:
  # timeout: 10000
  # reporter: [pretty, html=reports/report.html]
`;

/** What `init` writes as a GitHub workflow. */
export const WORKFLOW_TEMPLATE = `name: MSP conformance
on:
  push:
  pull_request:

permissions:
  contents: read

jobs:
  conformance:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22

      # Build your server here, as in:
      # - run: npm ci

      # What is tested, and how, is in msp-conformance.config.yaml. The exit code fails the job.
      # npx takes msp-conformance from your devDependencies, once npm ci has installed them, else from the registry.
      - name: Run
        run: npx --yes msp-conformance run --reporter pretty --reporter github --reporter html --reporter junit --out reports

      # report.html says what failed, to people who did not run it.
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: msp-conformance
          path: reports
`;
