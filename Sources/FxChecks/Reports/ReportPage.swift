/// The frame of a page. It loads nothing, and its policy forbids the browser to load anything,
/// whatever the names in it contain.
enum ReportPage {
  static let policy =
    "<meta http-equiv=\"Content-Security-Policy\" "
    + "content=\"default-src 'none'; img-src data:; media-src data:; style-src 'unsafe-inline'\">"

  static func html(title: String, body: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8">
    \(policy)
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(Markup.escaped(title)) – fxrun</title>
    <style>\(ReportStyle.css)</style></head>
    <body><main>
    \(body)</main></body></html>

    """
  }
}
