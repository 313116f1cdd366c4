//! A real browser that shows a page, which tells what it has seen by posting it to a port of this machine.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::Value;

/// Longer than a page takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(240);
/// In a page, the address that it posts its findings to.
pub(crate) const TO: &str = "TOLD_TO";

/// A browser with all it has started.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(group) = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw) {
            kill_process_group(group, Signal::KILL).ok();
        }
        self.0.wait().ok();
    }
}

/// Shows `page`, written to `folder`, and waits for what it posts to the address that stands for [`TO`].
pub(crate) fn told(browser: &Path, folder: &Path, page: &str, dark: bool) -> Value {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let file = folder.join("shown.html");
    fs::write(&file, page.replace(TO, &format!("http://127.0.0.1:{port}/"))).unwrap();
    let (sender, posted) = channel();
    // Ends with the test program, or with the first word of the page.
    std::thread::spawn(move || {
        let bodies = listener.incoming().filter_map(|stream| body(stream.ok()?));
        bodies.take(1).for_each(|body| sender.send(body).unwrap_or_default());
    });
    let log = folder.join("browser.log");
    let mut command = Command::new(browser);
    command
        .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"])
        .args(["--disable-component-update", "--disable-sync", "--hide-scrollbars"])
        .arg("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")
        .arg(format!("--blink-settings=preferredColorScheme={}", u8::from(!dark)))
        .arg("--window-size=1400,1000")
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("file://{}", file.display()))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(fs::File::create(&log).unwrap())
        .process_group(0);
    let running = Running(command.spawn().unwrap());
    let found = posted.recv_timeout(PATIENCE);
    drop(running);
    let found = found.unwrap_or_else(|_| panic!("the page said nothing: {}", fs::read_to_string(log).unwrap()));
    serde_json::from_slice(&found).unwrap()
}

/// The body of a request with one, which is answered.
fn body(mut stream: TcpStream) -> Option<Vec<u8>> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut length = 0;
    let mut line = String::new();
    while reader.read_line(&mut line).ok()? > 2 {
        if let Some((_, value)) = line.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("content-length")) {
            length = value.trim().parse().ok()?;
        }
        line.clear();
    }
    let mut bytes = vec![0; length];
    reader.read_exact(&mut bytes).ok()?;
    stream.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n").ok()?;
    (length > 0).then_some(bytes)
}
